//! A decision rule without words: it sees facts and names an action.

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::Action;
use super::ActionSpace;
use super::Observation;

/// Why a policy named no action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// There is provably no way from here to the goal.
    #[error("{0}")]
    Unsolvable(String),
    /// The search reached its limit first.
    #[error("{0}")]
    GaveUp(String),
}

/// A decision rule. It decides from what it is given alone, so that an episode that is picked up
/// goes on exactly as it would have gone.
pub trait Policy: Send {
    /// The next action and the reason for it in a sentence, or `None` to do nothing more.
    /// `step` is the step the decision is for, from 1; `stop` is raised when nobody waits any more.
    fn next_action(
        &mut self,
        step: u32,
        seen: &Observation,
        space: &ActionSpace,
        stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError>;

    /// The whole list of actions from here, `limit` at most, and the reason for it.
    fn plan(
        &mut self,
        seen: &Observation,
        space: &ActionSpace,
        limit: u32,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError>;
}
