//! Where a value comes from: every setting remembers it, so that a mistake is shown where it was written.

use std::fmt;

use serde_json::Value;

use super::problem::Problem;
use super::problem::SourceLocation;

/// Where a value comes from, weakest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The default file that is compiled in.
    Default,
    /// A file that somebody wrote; the place is that of the value.
    File(SourceLocation),
    /// This variable.
    Variable(String),
    /// This flag, with its dashes.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(place) => place.fmt(f),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// One setting as it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedSetting {
    /// Its table.
    pub table: String,
    /// Its name within the table.
    pub key: String,
    /// Its value: text, a whole number, or true or false.
    pub value: Value,
    /// Where the value comes from.
    pub origin: Origin,
    /// How strong the layer is that it comes from; 0 is the default file.
    pub(super) rank: usize,
}

impl ResolvedSetting {
    /// The name as people write it in speech: `play.agent`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }

    /// A problem with the value, placed where it was written.
    pub(super) fn problem_with(&self, what: &str) -> Problem {
        match &self.origin {
            Origin::Default => Problem::new(what),
            Origin::File(place) => Problem { location: Some(place.clone()), ..Problem::new(what) },
            Origin::Variable(name) | Origin::Flag(name) => Problem::new(format!("{name}: {what}")),
        }
    }
}
