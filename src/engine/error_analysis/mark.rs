//! Marks: named errors of a step, and sets of them.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use mageyard_domain::{RepetitionThresholds, nearest_names};

/// An error of a step (`MageBench`, error analysis; dead states are specific to the puzzle), or a person's edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Parse error: a reply could not be read.
    ParseError,
    /// A reply was truncated or refused, or its end is not known to be one.
    IncompleteReply,
    /// Parts of a reply that are not actions were ignored.
    Dropped,
    /// Invalid action, IA: the step ended without a legal action.
    InvalidAction,
    /// Repeating action, RA: the step is part of a repetition.
    RepeatedAction,
    /// Ren: what the action made cannot be shown.
    NotRendered,
    /// Act: an interaction with what the action made fails.
    FailedInteraction,
    /// The action did not change the state.
    Unchanged,
    /// The step left the shortest path or made the level unsolvable. Needs a distance search.
    OffPath,
    /// The goal is out of reach from this step on.
    Dead,
    /// A person edited the reply or the action.
    Edited,
}

impl Mark {
    /// All marks, in display order.
    pub const ALL: [Self; 11] = [
        Self::ParseError,
        Self::IncompleteReply,
        Self::Dropped,
        Self::InvalidAction,
        Self::RepeatedAction,
        Self::NotRendered,
        Self::FailedInteraction,
        Self::Unchanged,
        Self::OffPath,
        Self::Dead,
        Self::Edited,
    ];

    /// The name in commands, flags and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParseError => "parse",
            Self::IncompleteReply => "ending",
            Self::Dropped => "dropped",
            Self::InvalidAction => "ia",
            Self::RepeatedAction => "ra",
            Self::NotRendered => "ren",
            Self::FailedInteraction => "act",
            Self::Unchanged => "same",
            Self::OffPath => "off_path",
            Self::Dead => "dead",
            Self::Edited => "edited",
        }
    }

    /// Other spellings of the name that are accepted.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::ParseError => &["par", "parse_error", "parse_errors", "unreadable"],
            Self::IncompleteReply => &["cut", "refused", "refusal", "incomplete", "truncated"],
            Self::Dropped => &[],
            Self::InvalidAction => &["invalid", "invalid_action", "invalid_actions"],
            Self::RepeatedAction => &["repeating", "repeated", "repeating_action", "repeated_action"],
            Self::NotRendered => &["render", "not_rendered"],
            Self::FailedInteraction => &["interaction", "failed_interaction"],
            Self::Unchanged => &["frame_same", "unchanged", "ineffective", "ineffective_action"],
            Self::OffPath => &["offpath", "detour", "detours"],
            Self::Dead => &["dead_state", "dead_states", "deadlock"],
            Self::Edited => &["edit"],
        }
    }

    /// The full title.
    pub fn title(self) -> &'static str {
        match self {
            Self::ParseError => "parse error",
            Self::IncompleteReply => "incomplete reply",
            Self::Dropped => "dropped members",
            Self::InvalidAction => "invalid action (IA)",
            Self::RepeatedAction => "repeating action (RA)",
            Self::NotRendered => "not rendered (Ren)",
            Self::FailedInteraction => "failed interaction (Act)",
            Self::Unchanged => "ineffective action",
            Self::OffPath => "off the shortest path",
            Self::Dead => "dead state",
            Self::Edited => "edited by a person",
        }
    }

    /// The definition, with these thresholds.
    pub fn definition(self, thresholds: RepetitionThresholds) -> String {
        match self {
            Self::ParseError => "a reply in which the reading rules find no action".to_owned(),
            Self::IncompleteReply => {
                "a reply that was truncated, refused or filtered, that calls a tool, or without a known end"
                    .to_owned()
            }
            Self::Dropped => {
                "a reply of which list members that are not actions, or code blocks with an unknown label, were \
                 ignored; the reader magebench counts that as an invalid action"
                    .to_owned()
            }
            Self::InvalidAction => "a step without a legal action after all attempts, or a refused action".to_owned(),
            Self::RepeatedAction => format!("the same action or the same reply {thresholds}"),
            Self::NotRendered => "an action whose result cannot be shown, as the environment says".to_owned(),
            Self::FailedInteraction => {
                "an action that fails, or after which an interaction with its result fails, as the environment says"
                    .to_owned()
            }
            Self::Unchanged => "an action that does not change the state".to_owned(),
            Self::OffPath => "a step that leaves the goal further away than the best action would".to_owned(),
            Self::Dead => "the goal is provably out of reach from this step on".to_owned(),
            Self::Edited => {
                "a person changed the reply, the action, the state or the frame, or had the agent asked again, which makes the \
                 episode mixed"
                    .to_owned()
            }
        }
    }

    /// The marks that an environment sets itself: the fact `errors` of the state after the action has their names.
    pub const OF_ENVIRONMENT: [Self; 2] = [Self::NotRendered, Self::FailedInteraction];

    /// Whether it is an error of the agent; a step that is only useless or that a person edited is none.
    pub fn is_error(self) -> bool {
        !matches!(self, Self::Unchanged | Self::OffPath | Self::Edited)
    }

    fn bit(self) -> u16 {
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

    /// The mark of this name; the error lists the names.
    fn from_str(name: &str) -> Result<Self, String> {
        let plain = name.trim().to_lowercase().replace(['-', ' '], "_");
        let matches = |mark: &Self| mark.name() == plain || mark.aliases().contains(&plain.as_str());
        let found = Self::ALL.into_iter().find(matches);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let near = nearest_names(name, names.iter().copied());
            let near = near.first().map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("there is no mark {name:?}{near} (the marks are {}, or any)", names.join(", "))
        })
    }
}

/// The name of the set of all marks.
const ANY: &str = "any";

/// A set of marks: of a step, or to search for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkSet(u16);

impl MarkSet {
    /// All marks.
    pub const ANY: Self = Self(u16::MAX);

    /// The set with this mark added if the condition holds.
    #[must_use]
    pub fn with(self, mark: Mark, so: bool) -> Self {
        if so { Self(self.0 | mark.bit()) } else { self }
    }

    /// The marks of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it contains this mark.
    pub fn has(self, mark: Mark) -> bool {
        self.0 & mark.bit() != 0
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether both sets have a mark in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its marks in display order.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL.into_iter().filter(move |mark| self.has(*mark))
    }
}

impl FromStr for MarkSet {
    type Err = String;

    /// Names separated by commas, such as `ia,ra`, or `any` for all marks.
    fn from_str(names: &str) -> Result<Self, String> {
        match names.trim() {
            names if names.eq_ignore_ascii_case(ANY) || names.eq_ignore_ascii_case("all") => Ok(Self::ANY),
            names => names.split(',').map(|name| name.trim().parse::<Mark>()).collect(),
        }
    }
}

impl fmt::Display for MarkSet {
    /// The form that [`FromStr`] reads.
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
