//! Editing the state of an environment: what can be moved, and how a state is written.

use std::fmt::Debug;

use super::Observation;

/// What an environment offers to change a state by hand. A state is a text in the notation of the environment, which
/// [`super::Environment::set_state`] takes.
pub trait StateEditor: Debug + Sync {
    /// The state that an observation shows; `None` if it does not have all of it.
    fn state(&self, observation: &Observation) -> Option<String>;
    /// What can be moved in this state, in reading order.
    fn pieces(&self, state: &str) -> Vec<Piece>;
    /// The state with a piece, given by its index, moved by one place. An error is a sentence that says why it cannot be
    /// there.
    fn moved(&self, state: &str, piece: usize, direction: MoveDirection) -> Result<String, String>;
}

/// Something that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is called, such as `player`.
    pub name: String,
    /// Its line in the text of the state, from 0.
    pub line: usize,
    /// Its first character in that line, from 0.
    pub column: usize,
}

/// A direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDirection {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}
