//! Policies: decision rules without a model.

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::{Action, ActionSpace, Observation};

/// Why a policy returned no action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// The goal provably cannot be reached.
    #[error("{0}")]
    Unsolvable(String),
    /// The search reached a limit.
    #[error("{0}")]
    GaveUp(String),
}

/// A policy of an environment that is played as an agent, by its name.
#[derive(Clone, Copy)]
pub struct NamedPolicy {
    /// The name of the agent. It replaces an agent of the program with the same name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Options of the environment that it needs; they replace those of the settings.
    pub options: &'static [(&'static str, &'static str)],
    /// Makes the policy.
    pub create: fn() -> Box<dyn Policy>,
}

/// A decision rule. It depends only on its arguments, so that a resumed episode continues exactly like an
/// uninterrupted one.
pub trait Policy: Send {
    /// The next action and the reason in a sentence, or `None` to stop. `step` counts from 1; `stop` is set to
    /// cancel the decision.
    fn next_action(
        &mut self,
        step: u32,
        seen: &Observation,
        space: &ActionSpace,
        stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError>;

    /// The list of all remaining actions, at most `limit`, and the reason in a sentence.
    fn plan(
        &mut self,
        seen: &Observation,
        space: &ActionSpace,
        limit: u32,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError>;
}
