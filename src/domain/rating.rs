//! What a person thinks of a reply.

use serde::{Deserialize, Serialize};

/// A rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    /// A good reply.
    Good,
    /// A bad one.
    Bad,
}

impl Rating {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }

    /// Its sign on the screen.
    pub fn sign(self) -> char {
        match self {
            Self::Good => '+',
            Self::Bad => '-',
        }
    }
}
