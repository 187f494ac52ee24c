//! What an action leads to, as a word that is stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionVerdict {
    /// A shortest way to the goal goes on with it.
    Optimal,
    /// The goal is as far away as before, or further, and can still be reached.
    Wasteful,
    /// The goal is out of reach afterwards.
    Losing,
    /// It changes the state, and the solver cannot say how far away the goal is.
    Legal,
    /// It changes nothing.
    Illegal,
}

/// The verdicts on all actions of a state.
pub type ActionVerdicts = BTreeMap<String, ActionVerdict>;
