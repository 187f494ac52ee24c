//! What a suite file has.

use std::ops::Range;

use crate::Margin;
use mageyard_config::{AssignedSetting, Problem, SourceFile};
use mageyard_domain::{Digest, Level};

/// The version of the file.
pub(super) const SCHEMA: i64 = 1;
/// The most states of a suite: the asks of all of them are open at once.
pub(super) const MOST_STATES: usize = 200;
/// The longest name, in bytes.
const NAME_LENGTH: usize = 64;

/// A suite, checked as far as that is possible without its environment.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// How much worse a variant may be, if the file fixes it.
    pub margin: Option<Margin>,
    /// The environment of all its states.
    pub environment: String,
    /// The settings of all states, apart from those that a state has of its own.
    pub settings: Vec<AssignedSetting>,
    /// The levels that its states are reached from.
    pub levels: Vec<SuiteLevel>,
    /// The states; at least one.
    pub states: Vec<SuiteState>,
    /// The file.
    pub file: SourceFile,
}

/// A level of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLevel {
    /// The reference that it was opened with; unique in the suite.
    pub reference: String,
    /// The number in its own file, from 1.
    pub number: usize,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its text; `None` if it cannot be opened from a text.
    pub text: Option<String>,
    /// The digest of what it is made of.
    pub digest: Digest,
}

/// A state of a suite.
#[derive(Clone, Debug)]
pub struct SuiteState {
    /// Its recorded step, such as `20261120-110234-417-a/0001#7`; `None` if it was never recorded.
    pub address: Option<String>,
    /// The digest of the state.
    pub digest: Digest,
    /// Why it is in the suite.
    pub why: String,
    /// What sort of state it is, if states are sorted.
    pub category: Option<String>,
    /// The answers that are right, if a person has listed them.
    pub accept: Vec<String>,
    /// The answers that are the mistake which it tempts to, if they are known.
    pub mistake: Vec<String>,
    /// The action that was taken when it was recorded.
    pub taken: Option<String>,
    /// The index of its level.
    pub level: usize,
    /// The seed of its environment.
    pub seed: u64,
    /// The actions that lead to it from the start of the level; `None` if only its recording opens it.
    pub actions: Option<Vec<String>>,
    /// The settings that other states do not have.
    pub settings: Vec<AssignedSetting>,
    /// Where it is in the file.
    pub span: Range<usize>,
}

impl Suite {
    /// A problem with a state, at its place in the file. States are numbered from 1.
    pub fn problem(&self, index: usize, what: impl std::fmt::Display) -> Problem {
        let span = self.states.get(index).map_or(0..0, |state| state.span.clone());
        self.file.problem_at(format!("state {}: {what}", index + 1), span)
    }

    /// The level of a state.
    pub fn level(&self, state: &SuiteState) -> Option<&SuiteLevel> {
        self.levels.get(state.level)
    }
}

impl SuiteLevel {
    /// The level, if it can be opened from its text.
    pub(super) fn to_level(&self) -> Option<Level> {
        Some(Level::from_text(self.number, self.title.as_deref(), self.text.as_deref()?))
    }
}

/// The name, if a session and a file can have it.
pub fn checked_suite_name(name: &str) -> Result<String, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_safe =
        (1..=NAME_LENGTH).contains(&name.len()) && name.chars().all(plain) && !name.starts_with(['.', '-']);
    let what = || {
        format!(
            "{name:?} cannot be the name of a suite; use at most {NAME_LENGTH} letters, digits, - _ and ."
        )
    };
    is_safe.then(|| name.to_owned()).ok_or_else(what)
}
