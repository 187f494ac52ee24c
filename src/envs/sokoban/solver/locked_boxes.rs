//! A lower bound that treats locked boxes as walls, for searches that need not be optimal.
//!
//! A box on a target that can never move again changes what the other boxes can do: targets behind it may
//! be unreachable. For each set of locked boxes the maze is built again with walls in their place, and the
//! remaining boxes are assigned to the remaining targets. States without an assignment are dead. This finds
//! rooms of targets that were filled in the wrong order.

use rustc_hash::FxHashMap;

use super::super::board::{Ground, Square};
use super::grid::Cell;
use super::lower_bound::LowerBound;
use super::matching::Matching;
use super::maze::{Maze, WALL};

/// Sets of locked boxes that are stored; others are not used.
const MAX_SETS: usize = 4096;

/// The bounds of all sets of locked boxes met so far.
pub(super) struct LockedBoxBounds<'a> {
    ground: &'a Ground,
    /// The square of each cell.
    squares: &'a [Square],
    reduced: FxHashMap<Vec<Square>, Reduced>,
    bytes: usize,
}

/// The maze with a set of locked boxes as walls.
struct Reduced {
    maze: Maze,
    bound: LowerBound,
    /// The cell in the reduced maze of each cell of the whole maze, or [`WALL`].
    cells: Vec<Cell>,
    matching: Matching,
    posts: Vec<usize>,
}

impl<'a> LockedBoxBounds<'a> {
    pub(super) fn new(ground: &'a Ground, maze: &'a Maze) -> Self {
        Self { ground, squares: &maze.squares, reduced: FxHashMap::default(), bytes: 0 }
    }

    /// Bytes of the stored bounds.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The least number of remaining pushes of the boxes that are not `locked`; 0 if nothing is known, and
    /// `None` if they cannot all reach targets. Every locked box is on a target.
    pub(super) fn min_pushes(&mut self, locked: &[Square], boxes: &[Cell], player: Cell) -> Option<u32> {
        if locked.is_empty() || boxes.len() == locked.len() {
            return Some(0);
        }
        if !self.reduced.contains_key(locked) {
            if self.reduced.len() == MAX_SETS {
                return Some(0);
            }
            let reduced = Reduced::new(self.ground, self.squares, locked, boxes.len() - locked.len());
            self.bytes += reduced.bytes();
            self.reduced.insert(locked.to_vec(), reduced);
        }
        self.reduced.get_mut(locked)?.min_pushes(boxes, player)
    }
}

impl Reduced {
    fn new(ground: &Ground, squares: &[Square], locked: &[Square], boxes: usize) -> Self {
        let mut ground = ground.clone();
        for square in locked.iter().map(|square| usize::from(*square)) {
            (ground.walls[square], ground.targets[square], ground.inside[square]) = (true, false, false);
        }
        let maze = Maze::new(&ground);
        let bound = LowerBound::flat(&maze);
        let cells = squares.iter().map(|square| maze.cell(*square).unwrap_or(WALL)).collect();
        Self { maze, bound, cells, matching: Matching::new(boxes), posts: Vec::with_capacity(boxes) }
    }

    fn bytes(&self) -> usize {
        self.maze.bytes() + self.bound.bytes() + self.cells.capacity() * size_of::<Cell>()
    }

    fn min_pushes(&mut self, boxes: &[Cell], player: Cell) -> Option<u32> {
        let Self { maze, bound, cells, matching, posts } = self;
        let player = cells[usize::from(player)];
        let free = boxes.iter().map(|cell| cells[usize::from(*cell)]).filter(|cell| *cell != WALL);
        posts.clear();
        posts.extend(free.map(|cell| maze.post(cell, player)));
        bound.assign(matching, posts).then(|| bound.min_moves(matching, posts, player))
    }
}
