//! What becomes of an agent's errors while it plays, and from when on repetition is one.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

/// What follows the last unreadable attempt of a step in the Online setting. A Global plan that cannot be
/// read leaves nothing to carry out, so it ends the episode in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUnreadable {
    /// The step is used up without an action, and the episode goes on (`MageBench`, agent settings).
    #[default]
    Skip,
    /// The episode ends.
    End,
}

/// What follows when the agent has repeated itself up to a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnRepeating {
    /// It is marked, and the episode goes on.
    #[default]
    GoOn,
    /// The episode ends.
    End,
}

/// From how many repetitions on an agent counts as repeating (RA); of actions and of whole replies alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RepetitionThresholds {
    /// The same so many times in a row, each leaving the state as it was; at least 2.
    pub unchanged: usize,
    /// The same so many times in a row, whatever came of it; at least 2.
    pub same: usize,
}

/// What an episode holds its agent to. The defaults are what held before episodes wrote it down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodePolicy {
    /// After the last unreadable attempt.
    #[serde(default)]
    pub on_unreadable: OnUnreadable,
    /// At the repetition limit.
    #[serde(default)]
    pub on_repeating: OnRepeating,
    /// What counts as repetition.
    #[serde(default)]
    pub thresholds: RepetitionThresholds,
}

impl Default for RepetitionThresholds {
    fn default() -> Self {
        Self { unchanged: 5, same: 10 }
    }
}

impl fmt::Display for RepetitionThresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unchanged, same } = self;
        write!(f, "{unchanged} times in a row with the state unchanged, or {same} times in a row")
    }
}
