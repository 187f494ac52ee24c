//! Branches: episodes that begin at a step of another one. A branch is a journal with the lines after that step; those
//! before it stay in the journal of its parent.
//!
//! The folder of a branch lies in the folder of its episode: `b1`, `b2` and so on in the order in which they were made,
//! also if one leaves another. So a branch names its parent by a number, and never by a path.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;

use serde::{Deserialize, Serialize};

use mageyard_domain::Digest;

/// Where a branch leaves its parent, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The branch that it leaves; `None` for the episode itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<u32>,
    /// The step that the branch begins with, from 1.
    pub step: u32,
    /// The lines of the parent's own journal that belong to the branch too, its head included.
    pub lines: u64,
    /// The offset in bytes of the parent's first line that does not.
    pub offset: u64,
    /// The seal of the last line that does.
    pub seal: Digest,
    /// How the environment reached that step when the branch was made.
    pub restored: Restored,
    /// What the branch was started with instead of the parent's settings at that step, by the name of the setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The hypothesis of the person who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The condition that is to become true in the branch if the hypothesis is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// Which one it is of several branches that play on from the step in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

/// One of several branches that play on from one step with the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continuation {
    /// The digest of the step and of the settings.
    pub variant: Digest,
    /// Its number among them, from 1.
    pub sample: u32,
}

/// How an environment reached the step that a branch begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// Its whole state is that of the step: a pure world, or a checkpoint that was saved at this step.
    Exact,
    /// Actions were carried out again, and every observation was equal to the recorded one.
    Replayed,
    /// A live surface was opened again and looked at; what cannot be seen may differ.
    Unsafe,
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "exact",
            Self::Replayed => "replayed",
            Self::Unsafe => "unsafe",
        })
    }
}

/// A setting that a branch was started with instead of the parent's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The name of the setting, such as `prompt`.
    pub name: String,
    /// The value at the step in the parent.
    pub from: String,
    /// The value in the branch.
    pub to: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.name, self.from, self.to)
    }
}

/// The name of the folder of the branch with this number.
pub fn branch_name(number: u32) -> String {
    format!("b{number}")
}

/// The number of the branch with this name, such as 3 for `b3`.
pub fn parse_branch_name(name: &str) -> Option<u32> {
    let number: u32 = name.strip_prefix('b')?.parse().ok()?;
    (number > 0 && branch_name(number) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_of_branches_are_read_as_such() {
        for number in [1, 7, 1000] {
            assert_eq!(parse_branch_name(&branch_name(number)), Some(number));
        }
        for name in ["b0", "b01", "b", "1", "b-1", "b1x", "B1", "b+1", ""] {
            assert_eq!(parse_branch_name(name), None, "{name}");
        }
    }
}
