//! Pairs of boxes that can never both reach targets, wherever the other boxes are. They are found
//! backwards, by pulling two boxes alone in the maze from every pair of targets.

use super::grid::Cell;
use super::maze::{Maze, WALL, opposite};

/// Above this number of cells pairs are not computed: a set of cells is one word here.
const MAX_CELLS: usize = 128;

pub(super) struct PairDeadlocks {
    len: usize,
    /// For each pair of cells, the player's cells from which both boxes can reach targets.
    alive: Vec<u128>,
    /// The neighbours of each cell.
    near: Vec<u128>,
}

impl PairDeadlocks {
    /// `None` for a maze that is too large, or with fewer than two targets.
    pub(super) fn new(maze: &Maze) -> Option<Self> {
        let len = maze.len();
        if len > MAX_CELLS || maze.targets.len() < 2 {
            return None;
        }
        let near =
            |next: &[Cell; 4]| next.iter().filter(|near| **near != WALL).fold(0, |set, near| set | 1 << near);
        let mut pairs = Self { len, alive: vec![0; len * len], near: maze.next.iter().map(near).collect() };
        let mut open = Vec::new();
        for (index, one) in maze.targets.iter().enumerate() {
            for other in &maze.targets[index + 1..] {
                let near = [*one, *other].into_iter().flat_map(|cell| maze.next[usize::from(cell)]);
                for player in near.filter(|near| *near != WALL && near != one && near != other) {
                    pairs.enter(player, [*one, *other], &mut open);
                }
            }
        }
        while let Some((part, boxes)) = open.pop() {
            for (from, other) in [(boxes[0], boxes[1]), (boxes[1], boxes[0])] {
                for way in 0..4 {
                    // The player steps back from the box and pulls it along.
                    let to = maze.next[usize::from(from)][opposite(way)];
                    let player = maze.next.get(usize::from(to)).map_or(WALL, |next| next[opposite(way)]);
                    if player != WALL && to != other && player != other && part >> to & 1 == 1 {
                        pairs.enter(player, [to, other], &mut open);
                    }
                }
            }
        }
        Some(pairs)
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.alive.as_slice())
    }

    fn enter(&mut self, player: Cell, boxes: [Cell; 2], open: &mut Vec<(u128, [Cell; 2])>) {
        let at = self.at(boxes[0], boxes[1]);
        if self.alive[at] >> player & 1 == 1 {
            return;
        }
        let free = !(1 << boxes[0] | 1 << boxes[1]);
        let mut part = 1_u128 << player;
        let mut edge = 1_u128 << player;
        while edge != 0 {
            let new = self.near[edge.trailing_zeros() as usize] & free & !part;
            part |= new;
            edge = edge & (edge - 1) | new;
        }
        self.alive[at] |= part;
        open.push((part, boxes));
    }

    fn at(&self, one: Cell, other: Cell) -> usize {
        usize::from(one.min(other)) * self.len + usize::from(one.max(other))
    }

    /// Whether two boxes on these cells can both reach targets, with the player there and no other boxes.
    pub(super) fn is_alive(&self, one: Cell, other: Cell, player: Cell) -> bool {
        self.alive[self.at(one, other)] >> player & 1 == 1
    }
}
