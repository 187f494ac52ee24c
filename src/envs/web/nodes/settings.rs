//! By which rules, and when, nodes are compared.

use serde::{Deserialize, Serialize};

/// The rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// Those of the paper, completed by our decisions: what acts really did counts.
    #[default]
    Standard,
    /// Those of the released code, with its errors.
    Code,
}

impl Rules {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Code];

    /// The name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Code => "code",
        }
    }
}

/// When the address is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeAt {
    /// Before each act, as in the released code: what the last act leads to is never seen.
    Before,
    /// After each act, once the page has settled.
    After,
    /// Both.
    #[default]
    Both,
}

impl JudgeAt {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Before, Self::After, Self::Both];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Both => "both",
        }
    }
}

/// How nodes are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeSettings {
    /// By which rules.
    pub rules: Rules,
    /// When addresses are compared. Elements are always looked up before the act.
    pub judge_at: JudgeAt,
}
