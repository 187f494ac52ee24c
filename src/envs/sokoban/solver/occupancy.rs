//! A state unpacked for work: which cells have boxes, and how far the player has to walk.

use smallvec::SmallVec;

use super::super::board::{Ground, Square};
use super::super::deadlock;
use super::grid::{Cell, CellSet, Grid};
use super::locked_boxes::LockedBoxBounds;
use super::maze::{Maze, WALL};

/// The length of an impossible walk.
pub(super) const UNREACHABLE: u32 = u32::MAX;

#[derive(Clone)]
pub(super) struct Occupancy<'a> {
    pub(super) maze: &'a Maze,
    ground: &'a Ground,
    /// Indexed by square, as the deadlock rules need it.
    marks: Box<[u8]>,
    occupied: Vec<bool>,
    /// The occupied cells as a set, where the maze has sets.
    boxes: CellSet,
    open: Vec<Cell>,
}

impl<'a> Occupancy<'a> {
    /// An occupancy without boxes inside; `outside` are the squares of unreachable boxes.
    pub(super) fn new(maze: &'a Maze, ground: &'a Ground, outside: &[u16]) -> Self {
        let mut marks = deadlock::square_marks(ground);
        for square in outside {
            marks[usize::from(*square)] |= deadlock::BOX;
        }
        Self { maze, ground, marks, occupied: vec![false; maze.len()], boxes: 0, open: Vec::new() }
    }

    /// The bounds of locked boxes on this maze.
    pub(super) fn locked_box_bounds(&self) -> LockedBoxBounds<'a> {
        LockedBoxBounds::new(self.ground, self.maze)
    }

    /// Adds boxes.
    pub(super) fn place_boxes(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.place_box(*cell);
        }
    }

    /// Removes boxes.
    pub(super) fn remove_boxes(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.remove_box(*cell);
        }
    }

    fn place_box(&mut self, cell: Cell) {
        self.occupied[usize::from(cell)] = true;
        self.boxes |= self.maze.grid.as_ref().map_or(0, |grid| grid.set(cell));
        self.marks[usize::from(self.maze.squares[usize::from(cell)])] |= deadlock::BOX;
    }

    fn remove_box(&mut self, cell: Cell) {
        self.occupied[usize::from(cell)] = false;
        self.boxes &= !self.maze.grid.as_ref().map_or(0, |grid| grid.set(cell));
        self.marks[usize::from(self.maze.squares[usize::from(cell)])] &= !deadlock::BOX;
    }

    pub(super) fn move_box(&mut self, from: Cell, to: Cell) {
        self.remove_box(from);
        self.place_box(to);
    }

    /// Whether the player or a box can enter this cell.
    pub(super) fn is_free(&self, cell: Cell) -> bool {
        cell != WALL && !self.occupied[usize::from(cell)]
    }

    pub(super) fn has_box(&self, cell: Cell) -> bool {
        cell != WALL && self.occupied[usize::from(cell)]
    }

    /// Whether a box pushed from one cell to another would be locked for good, with some box of its cluster
    /// not on a target.
    pub(super) fn would_lock(&mut self, from: Cell, to: Cell) -> bool {
        let square = |cell: Cell| self.maze.squares[usize::from(cell)];
        let from = square(from);
        let to = square(to);
        self.marks[usize::from(from)] &= !deadlock::BOX;
        self.marks[usize::from(to)] |= deadlock::BOX;
        let locked = deadlock::is_locked(self.ground, &mut self.marks, to);
        self.marks[usize::from(to)] &= !deadlock::BOX;
        self.marks[usize::from(from)] |= deadlock::BOX;
        locked
    }

    /// The squares of the boxes that would be locked for good after a push, in ascending order. `boxes` are
    /// the cells of all boxes after it.
    pub(super) fn locked_after(&mut self, from: Cell, to: Cell, boxes: &[Cell], locked: &mut Vec<Square>) {
        let square = |cell: &Cell| self.maze.squares[usize::from(*cell)];
        let squares: SmallVec<[Square; 16]> = boxes.iter().map(square).collect();
        self.move_box(from, to);
        deadlock::locked_boxes(self.ground, &mut self.marks, &squares, locked);
        self.move_box(to, from);
    }

    /// The number of separate areas of the maze that these boxes leave.
    pub(super) fn areas(&mut self, boxes: &[Cell]) -> u32 {
        if let Some(grid) = &self.maze.grid {
            let mut free = grid.all & !boxes.iter().fold(0, |set, cell| set | grid.set(*cell));
            let mut areas = 0;
            while free != 0 {
                free &= !grid.fill(free & free.wrapping_neg(), free);
                areas += 1;
            }
            return areas;
        }
        let mut visited = vec![false; self.maze.len()];
        for cell in boxes {
            visited[usize::from(*cell)] = true;
        }
        let mut areas = 0;
        for start in 0..visited.len() {
            if std::mem::replace(&mut visited[start], true) {
                continue;
            }
            areas += 1;
            let mut open = vec![start];
            while let Some(cell) = open.pop() {
                for near in self.maze.next[cell].into_iter().filter(|near| *near != WALL).map(usize::from) {
                    if !std::mem::replace(&mut visited[near], true) {
                        open.push(near);
                    }
                }
            }
        }
        areas
    }

    /// The length of the walk to each cell.
    pub(super) fn walk_distances(&mut self, from: Cell, moves: &mut Vec<u32>) {
        match &self.maze.grid {
            Some(grid) => {
                self.flood_bits(grid, from, grid.all, moves);
            }
            None => self.flood_queue(from, moves),
        }
    }

    /// The same, but only cells beside boxes are certain to be set. Returns those of them that cannot be
    /// reached, where the maze has sets.
    pub(super) fn walk_distances_to_boxes(&mut self, from: Cell, moves: &mut Vec<u32>) -> CellSet {
        if let Some(grid) = &self.maze.grid {
            return self.flood_bits(grid, from, grid.beside(self.boxes), moves);
        }
        self.flood_queue(from, moves);
        0
    }

    /// The boxes as a set, where the maze has sets.
    pub(super) fn boxes(&self) -> CellSet {
        self.boxes
    }

    /// The boxes beside a cell.
    pub(super) fn boxes_beside(&self, cell: Cell) -> CellSet {
        self.maze.grid.as_ref().map_or(0, |grid| grid.beside(grid.set(cell)) & self.boxes)
    }

    /// The lowest cell that the player can reach.
    pub(super) fn least_reachable(&mut self, from: Cell, moves: &mut Vec<u32>) -> Cell {
        if let Some(grid) = &self.maze.grid {
            let part = grid.fill(grid.set(from), grid.all & !self.boxes);
            return grid.iter(part).next().unwrap_or(from);
        }
        self.flood_queue(from, moves);
        self.open.iter().copied().min().unwrap_or(from)
    }

    /// Flood fill with bit sets until every reachable wanted cell has its distance. Returns the other
    /// wanted cells.
    fn flood_bits(&self, grid: &Grid, from: Cell, mut wanted: CellSet, moves: &mut Vec<u32>) -> CellSet {
        moves.clear();
        moves.resize(self.maze.len(), UNREACHABLE);
        let mut free = grid.all & !self.boxes;
        let mut edge = grid.set(from);
        let mut walked = 0;
        wanted &= free;
        while edge != 0 {
            for cell in grid.iter(edge & wanted) {
                moves[usize::from(cell)] = walked;
            }
            (wanted, free, walked) = (wanted & !edge, free & !edge, walked + 1);
            edge = if wanted == 0 { 0 } else { grid.beside(edge) & free };
        }
        wanted
    }

    fn flood_queue(&mut self, from: Cell, moves: &mut Vec<u32>) {
        moves.clear();
        moves.resize(self.maze.len(), UNREACHABLE);
        moves[usize::from(from)] = 0;
        self.open.clear();
        self.open.push(from);
        let mut at = 0;
        while let Some(cell) = self.open.get(at).copied() {
            at += 1;
            let next = moves[usize::from(cell)] + 1;
            for near in self.maze.next[usize::from(cell)] {
                if near != WALL
                    && !self.occupied[usize::from(near)]
                    && moves[usize::from(near)] == UNREACHABLE
                {
                    moves[usize::from(near)] = next;
                    self.open.push(near);
                }
            }
        }
    }
}
