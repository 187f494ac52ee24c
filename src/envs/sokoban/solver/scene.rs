//! One state spread out for work: which cells hold boxes, and how far the player walks.

use super::super::board::Ground;
use super::super::dead;
use super::maze::Cell;
use super::maze::Maze;
use super::maze::WALL;

/// A walk that is not possible.
pub(super) const FAR: u32 = u32::MAX;

pub(super) struct Scene<'a> {
    pub(super) maze: &'a Maze,
    ground: &'a Ground,
    /// By square, as the rules of locked boxes want it.
    marks: Box<[u8]>,
    taken: Vec<bool>,
    open: Vec<Cell>,
}

impl<'a> Scene<'a> {
    /// A scene without boxes inside; `outside` are the squares of boxes that nobody can reach.
    pub(super) fn new(maze: &'a Maze, ground: &'a Ground, outside: &[u16]) -> Self {
        let mut marks = dead::marks(ground);
        for square in outside {
            marks[usize::from(*square)] |= dead::BOX;
        }
        Self { maze, ground, marks, taken: vec![false; maze.len()], open: Vec::new() }
    }

    /// Puts boxes on these cells.
    pub(super) fn put_all(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.put(*cell);
        }
    }

    /// Takes them away again.
    pub(super) fn lift_all(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.lift(*cell);
        }
    }

    fn put(&mut self, cell: Cell) {
        self.taken[usize::from(cell)] = true;
        self.marks[usize::from(self.maze.squares[usize::from(cell)])] |= dead::BOX;
    }

    fn lift(&mut self, cell: Cell) {
        self.taken[usize::from(cell)] = false;
        self.marks[usize::from(self.maze.squares[usize::from(cell)])] &= !dead::BOX;
    }

    pub(super) fn shift(&mut self, from: Cell, to: Cell) {
        self.lift(from);
        self.put(to);
    }

    /// Whether the player or a box can go there.
    pub(super) fn is_free(&self, cell: Cell) -> bool {
        cell != WALL && !self.taken[usize::from(cell)]
    }

    pub(super) fn has_box(&self, cell: Cell) -> bool {
        cell != WALL && self.taken[usize::from(cell)]
    }

    /// Whether the box that was pushed here is locked for good, and not all around it are home.
    pub(super) fn is_locked(&mut self, cell: Cell) -> bool {
        dead::locks(self.ground, &mut self.marks, self.maze.squares[usize::from(cell)])
    }

    /// The moves of a walk from here to each cell, and the least cell that can be reached.
    pub(super) fn walks(&mut self, from: Cell, moves: &mut Vec<u32>) -> Cell {
        moves.clear();
        moves.resize(self.maze.len(), FAR);
        moves[usize::from(from)] = 0;
        self.open.clear();
        self.open.push(from);
        let (mut at, mut least) = (0, from);
        while let Some(cell) = self.open.get(at).copied() {
            at += 1;
            least = least.min(cell);
            let next = moves[usize::from(cell)] + 1;
            for near in self.maze.next[usize::from(cell)] {
                if near != WALL && !self.taken[usize::from(near)] && moves[usize::from(near)] == FAR {
                    moves[usize::from(near)] = next;
                    self.open.push(near);
                }
            }
        }
        least
    }
}
