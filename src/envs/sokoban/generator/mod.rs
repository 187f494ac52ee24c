//! Generates rooms like gym-sokoban's generator (Weber and others 2017; Schrader's gym-sokoban), from which
//! `MageBench` took its levels.
//!
//! 1. **Floor.** Everything is wall. A walker starts anywhere, turns in 35 of 100 steps, stays inside the border,
//!    and opens one of five small patterns around itself at each step (`topology`).
//! 2. **Player and targets.** The player, then a target for each box, each on a free square of its own (`floor`).
//!    With too little floor the room is rejected.
//! 3. **Reverse play.** With every box on its target, a depth-first search plays backwards: pull up, down,
//!    left, right, then walk up, down, left, right, at most 299 deep and through 300,000 states. A state is
//!    the player, the boxes, and which of them were ever pulled. Its score is the number of pulls on the path to
//!    it times the distance of the boxes from their own targets, if no target is covered. The first state with
//!    the highest score becomes the room (`reverse_play`).
//! 4. After a score of 0, floor, player and targets are drawn again, in up to four attempts; then the room is
//!    rejected.
//!
//! So every room is solvable, since the play can be reversed, and none is solved at the start. Their difficulty
//! varies; the solver measures it.

mod candidates;
mod floor;
mod groups;
mod level_generator;
mod random;
mod reverse_play;
mod symmetry;
mod topology;
mod visited;

pub(super) use candidates::{Shortest, shortest};
pub(super) use groups::{GROUPS, Group, Shape};

use mageyard_domain::Rejection;

use floor::{Cell, Floor};
pub(super) use random::RoomRandom;
use reverse_play::ReversePlay;

/// The walk opened too few squares.
const TOO_LITTLE_FLOOR: Rejection =
    Rejection { name: "floor", title: "little floor", description: "with too little floor" };
/// Every reverse play scored zero.
const ZERO_SCORE: Rejection =
    Rejection { name: "score", title: "score 0", description: "with score zero in four attempts" };

/// Floors tried for one room.
const MAX_TRIES: usize = 4;

/// Generates rooms of one shape from one seed. It reuses memory from room to room; no room depends on
/// earlier ones.
pub(super) struct Generator {
    shape: Shape,
    seed: u64,
    open: Vec<bool>,
    cells: Floor,
    reverse: ReversePlay,
}

impl Generator {
    /// A generator of rooms of this shape.
    pub(super) fn new(shape: Shape, seed: u64) -> Self {
        let squares = usize::from(shape.rows) * usize::from(shape.columns);
        Self {
            shape,
            seed,
            open: vec![false; squares],
            cells: Floor::default(),
            reverse: ReversePlay::default(),
        }
    }

    /// The room of this number as XSB, the same on every machine and in any order, or the reason why there
    /// is none.
    pub(super) fn room(&mut self, number: u64) -> Result<String, Rejection> {
        let mut draw = RoomRandom::of(self.seed, self.shape, number);
        for _ in 0..MAX_TRIES {
            topology::open_floor(self.shape, &mut draw, &mut self.open);
            self.cells.number_cells(self.shape, &self.open);
            if !self.cells.place_player_and_targets(self.shape.boxes, &mut draw) {
                return Err(TOO_LITTLE_FLOOR);
            }
            if self.reverse.play(&self.cells).score > 0 {
                return Ok(self.best_as_text());
            }
        }
        Err(ZERO_SCORE)
    }

    /// The best state of the last reverse play, row by row.
    fn best_as_text(&mut self) -> String {
        let best = self.reverse.best();
        let columns = usize::from(self.shape.columns);
        let mut floor: Vec<u8> =
            self.cells.is_target.iter().map(|target| if *target { b'.' } else { b' ' }).collect();
        let mut put = |cell: Cell, letter: u8| floor[usize::from(cell)] = letter;
        for cell in &best.boxes {
            put(*cell, b'$');
        }
        put(best.player, b'@');
        let mut floor = floor.into_iter().map(char::from);
        let mut text = String::with_capacity(self.open.len() + columns);
        for (square, open) in self.open.iter().enumerate() {
            if square > 0 && square % columns == 0 {
                text.push('\n');
            }
            text.push(if *open { floor.next().unwrap_or(' ') } else { '#' });
        }
        text
    }
}

#[cfg(test)]
mod tests;
