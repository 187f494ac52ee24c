//! The agent setting: Global or Online.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How often the agent observes (`MageBench`: global planner and online planner).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// One observation of the first frame, then the complete list of actions.
    Global,
    /// One action per observation.
    Online,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Global => "Global",
            Self::Online => "Online",
        })
    }
}
