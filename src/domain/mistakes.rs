//! Actions that are wrong on purpose, in the ways that an environment knows.

use super::{Action, Observation};

/// Makes actions that are allowed and wrong, for the agent `faulty`.
pub trait Mistakes: Send + Sync {
    /// An action with a mistake, and a sentence that says which; `None` if there is none in this state. Any number is
    /// allowed; it chooses the mistake, and the same number gives the same action.
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)>;
}
