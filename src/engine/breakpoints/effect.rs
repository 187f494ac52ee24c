//! What a breakpoint does where it is true.

use std::fmt;

/// What a breakpoint does where it is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BreakEffect {
    /// It pauses the run.
    #[default]
    Pause,
    /// It adds a tag of this name to the step, and the run goes on.
    Tag(String),
    /// It makes a branch at the step, with these changes, and the run goes on.
    Fork(String),
    /// It gives the seat to the agent of this name from the next request on, for so many steps or to the end, and the run
    /// goes on.
    Seat(String, Option<u32>),
}

/// The words after a condition; none for a pause.
impl fmt::Display for BreakEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pause => Ok(()),
            Self::Tag(name) => write!(f, " tag {name}"),
            Self::Fork(changes) if changes.is_empty() => f.write_str(" fork"),
            Self::Fork(changes) => write!(f, " fork {changes}"),
            Self::Seat(name, None) => write!(f, " seat {name}"),
            Self::Seat(name, Some(steps)) => write!(f, " seat {name} {steps}"),
        }
    }
}

/// An effect that is due at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DueEffect {
    /// The effect.
    pub(crate) effect: BreakEffect,
    /// The number of the step, from 1.
    pub(crate) step: u32,
    /// The breakpoint with the facts that make it true, in words.
    pub(crate) reason: String,
}
