//! A comparison of a node with what an act did, for people: both sides, the score, and why.

use serde::{Deserialize, Serialize};

/// What a node was compared with at an act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The index of the node in its task, from 0.
    pub node: usize,
    /// Which state of the page was compared.
    pub when: Moment,
    /// What is right: the reference of the node.
    pub expected: String,
    /// What was compared with it; `None` if the act offers nothing to compare. A text of a page or an agent, so untrusted.
    pub found: Option<String>,
    /// From 0 to 1; `None` while the judge has not answered.
    pub score: Option<f64>,
    /// The result and its reason. Foreign texts in it are in quotes and without control characters.
    pub sentence: String,
}

/// Which state of the page was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// As it was before the act, with the element and the text of the act.
    Before,
    /// As it was when the act had settled.
    After,
}

impl Comparison {
    /// Whether something was compared that is not right in full.
    pub fn has_failed(&self) -> bool {
        self.found.is_some() && self.score.is_some_and(|score| score < 1.0)
    }
}
