//! Why an action did not do what it says: refused before it began, or failed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why an action that the action space allows did not do what it says. The agent reads the reason at its next turn; the
/// step counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActProblem {
    /// The environment did not carry it out, such as a click on an element that another one covers. Nothing happened.
    Refused(Arc<str>),
    /// It began and did not succeed. The state may have changed.
    Failed(Arc<str>),
}

impl ActProblem {
    /// The reason, as the environment gave it: it may have text of a page, so it is untrusted.
    pub fn reason(&self) -> &Arc<str> {
        match self {
            Self::Refused(reason) | Self::Failed(reason) => reason,
        }
    }

    /// Whether nothing happened.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    /// The remark for people: that the action was refused or failed and why, before any other remark.
    pub fn remark(&self, other: Option<&str>) -> String {
        let outcome = if self.is_refused() { "refused" } else { "failed" };
        let other = other.map_or(String::new(), |other| format!("; {other}"));
        format!("{outcome}: {}{other}", self.reason())
    }
}
