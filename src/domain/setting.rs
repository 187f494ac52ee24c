//! How often an agent looks.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

/// The agent's setting (`MageBench`: global planner and online planner).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// One look at the first frame, then the whole action list.
    Global,
    /// One action per look.
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
