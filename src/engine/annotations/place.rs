//! The step that an annotation belongs to, within its session.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// The step that an annotation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepPlace {
    /// The number of the episode in its session; `None` for a journal outside a session.
    pub episode: Option<u32>,
    /// The branch that has the step as its own; `None` for the episode itself.
    pub branch: Option<u32>,
    /// The number of the step, from 1.
    pub step: u32,
}
