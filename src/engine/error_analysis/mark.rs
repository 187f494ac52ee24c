//! What can be wrong with a step: a name, the words that define it, and a set of such marks.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::Serializer;

use crate::domain::RepetitionThresholds;
use crate::domain::nearest_names;

/// Something that is wrong with a step (`MageBench`, error analysis; dead states are of the puzzle), or not the
/// agent's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A reply could not be read.
    ParseError,
    /// Invalid action, IA: the step ended without a legal action.
    InvalidAction,
    /// Repeating action, RA: the step is one of those that make the repetition.
    RepeatedAction,
    /// The action left the state as it was.
    Unchanged,
    /// The goal is further away after the step than after the best one, or out of reach. Only a search tells.
    OffPath,
    /// The goal is out of reach from here on.
    Dead,
    /// A person edited the reply or the action.
    Edited,
}

impl Mark {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 7] = [
        Self::ParseError,
        Self::InvalidAction,
        Self::RepeatedAction,
        Self::Unchanged,
        Self::OffPath,
        Self::Dead,
        Self::Edited,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParseError => "parse",
            Self::InvalidAction => "ia",
            Self::RepeatedAction => "ra",
            Self::Unchanged => "same",
            Self::OffPath => "off_path",
            Self::Dead => "dead",
            Self::Edited => "edited",
        }
    }

    /// What it is called in full.
    pub fn title(self) -> &'static str {
        match self {
            Self::ParseError => "parse error",
            Self::InvalidAction => "invalid action (IA)",
            Self::RepeatedAction => "repeating action (RA)",
            Self::Unchanged => "ineffective action",
            Self::OffPath => "off the best path",
            Self::Dead => "dead state",
            Self::Edited => "edited by a person",
        }
    }

    /// What it means, by these thresholds.
    pub fn definition(self, thresholds: RepetitionThresholds) -> String {
        match self {
            Self::ParseError => "a reply that gives no action under the reading rules".to_owned(),
            Self::InvalidAction => "a step that ends without a legal action after its attempts".to_owned(),
            Self::RepeatedAction => format!("the same action or the same reply {thresholds}"),
            Self::Unchanged => "an action that leaves the state as it was".to_owned(),
            Self::OffPath => "a step that leaves the goal further away than the best one would".to_owned(),
            Self::Dead => "the goal can provably no longer be reached from this step on".to_owned(),
            Self::Edited => "a person changed the reply or the action; such an episode is mixed".to_owned(),
        }
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Mark {
    type Err = String;

    /// The mark of this name; the error says which names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|mark| mark.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let near = nearest_names(name, names.iter().copied());
            let near = near.first().map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("there is no mark {name:?}{near} (the marks are {}, or any)", names.join(", "))
        })
    }
}

/// What stands for every mark.
const ANY: &str = "any";

/// Marks of a step, or those that are looked for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkSet(u8);

impl MarkSet {
    /// Every mark there is.
    pub const ANY: Self = Self(u8::MAX);

    /// With this mark as well, if that is so.
    #[must_use]
    pub fn with(self, mark: Mark, so: bool) -> Self {
        if so { Self(self.0 | mark.bit()) } else { self }
    }

    /// Whether it holds this mark.
    pub fn has(self, mark: Mark) -> bool {
        self.0 & mark.bit() != 0
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether they have a mark in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its marks in their order.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL.into_iter().filter(move |mark| self.has(*mark))
    }
}

impl FromStr for MarkSet {
    type Err = String;

    /// A list with commas, such as `ia,ra`; `any` stands for all of them.
    fn from_str(names: &str) -> Result<Self, String> {
        match names.trim() {
            ANY => Ok(Self::ANY),
            names => names.split(',').map(|name| name.trim().parse::<Mark>()).collect(),
        }
    }
}

impl fmt::Display for MarkSet {
    /// As it is read: `any`, or names with commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Mark::name).collect();
        f.pad(&if names.len() == Mark::ALL.len() { ANY.to_owned() } else { names.join(",") })
    }
}

impl FromIterator<Mark> for MarkSet {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        marks.into_iter().fold(Self::default(), |all, mark| all.with(mark, true))
    }
}

impl fmt::Debug for MarkSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for MarkSet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Mark::name))
    }
}
