//! The origin of a value. Every setting has one, so that a mistake is reported where it was written.

use std::fmt;

use serde_json::Value;

use super::problem::{Problem, SourceLocation};
use super::profile_edit::heading;

/// The beginning of the variables that only this program reads.
const OWN_VARIABLES: &str = "MAGEYARD_";

/// Where a value comes from, weakest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The default file.
    Default,
    /// The default of this environment.
    Environment(&'static str),
    /// A user or project file, with the location of the value.
    File(SourceLocation),
    /// An environment variable.
    Variable(String),
    /// A flag, with its dashes.
    Flag(String),
}

impl Origin {
    /// Whether it is a variable that other programs of the machine read too, such as `OPENAI_BASE_URL`.
    pub(super) fn is_shared_variable(&self) -> bool {
        matches!(self, Self::Variable(name) if !name.starts_with(OWN_VARIABLES))
    }

    /// A problem with what was written there.
    pub fn problem(&self, what: &str) -> Problem {
        match self {
            Self::Default | Self::Environment(_) => Problem::new(what),
            Self::File(place) => Problem { location: Some(place.clone()), ..Problem::new(what) },
            Self::Variable(name) | Self::Flag(name) => Problem::new(format!("{name}: {what}")),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Environment(name) => write!(f, "default of {name}"),
            Self::File(place) => place.fmt(f),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// A setting with its effective value.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedSetting {
    /// Its table.
    pub table: String,
    /// Its name in the table.
    pub key: String,
    /// Its value: text, a number, true or false, or a table of texts.
    pub value: Value,
    /// Where the value comes from.
    pub origin: Origin,
    /// The rank of its layer; 0 is the default file.
    pub(super) rank: usize,
}

impl ResolvedSetting {
    /// The full name, such as `play.agent`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }

    /// The layer of the value, weakest first: defaults, user file, project file, variables, flags.
    pub(super) fn layer(&self) -> usize {
        match self.origin {
            Origin::Default | Origin::Environment(_) | Origin::File(_) => self.rank,
            Origin::Variable(_) => 3,
            Origin::Flag(_) => 4,
        }
    }

    /// The table as it is written in a heading of a settings file.
    pub fn written_table(&self) -> String {
        heading(&self.table)
    }

    /// The value as it is written in a settings file.
    pub fn written_value(&self) -> String {
        let Value::Object(rows) = &self.value else { return self.value.to_string() };
        let rows: Vec<String> =
            rows.iter().map(|(name, value)| format!("{} = {value}", Value::from(name.as_str()))).collect();
        if rows.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", rows.join(", ")) }
    }

    /// A problem with the value, at the location where it was written.
    pub(super) fn problem_with(&self, what: &str) -> Problem {
        self.origin.problem(what)
    }
}
