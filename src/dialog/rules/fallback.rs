//! Fallback rules: where else an action may be found when the delimiters of a reader give none.

use regex::{Regex, RegexBuilder};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The maximum size of a compiled pattern, and of the tables of a search with it, in bytes.
const SIZE_LIMIT: usize = 256 << 10;

/// The maximum length of a pattern, in bytes.
const MAX_PATTERN: usize = 2000;

/// The maximum nesting depth of groups in a pattern.
const NEST_LIMIT: u32 = 50;

/// The maximum length of the name of a rule, in characters.
const MAX_NAME: usize = 40;

/// The maximum number of fallback rules of a reader.
pub(super) const MAX_FALLBACKS: usize = 16;

/// The named groups that a pattern may have; the first is required.
const GROUPS: [&str; 2] = ["action", "analysis"];

/// One rule that is tried when the delimiters give no action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fallback {
    /// Its name, for error messages and the raw view of a reply.
    pub(crate) name: String,
    /// What it looks for.
    pub(crate) search: Search,
    /// Which of several matches counts.
    pub(crate) pick: Pick,
}

/// What a fallback rule looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// A regular expression whose group `action` holds the action or the list.
    Pattern(Pattern),
    /// The name of an action as a word of its own; `capitals` allows other capitals.
    Anywhere { capitals: bool },
}

/// Which of several matches counts. Matches without an action are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pick {
    First,
    #[default]
    Last,
    /// The match with the most actions, the last of equals.
    Longest,
    /// Any, but only if all matches give the same actions.
    Only,
}

/// A regular expression that is searched in linear time. Equal when its text is.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern. The error is one line.
    fn new(text: &str) -> Result<Self, String> {
        if text.len() > MAX_PATTERN {
            return Err(format!("the pattern is longer than {MAX_PATTERN} bytes"));
        }
        let built = RegexBuilder::new(text)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .nest_limit(NEST_LIMIT)
            .build();
        let regex = built.map_err(|error| describe(&error))?;
        let names: Vec<&str> = regex.capture_names().flatten().collect();
        if let Some(name) = names.iter().find(|name| !GROUPS.contains(name)) {
            return Err(format!("unknown group (?<{name}>...); known: action, analysis"));
        }
        if !names.contains(&GROUPS[0]) {
            return Err("the pattern has no group (?<action>...)".to_owned());
        }
        Ok(Self(regex))
    }

    /// The compiled expression.
    pub(crate) fn regex(&self) -> &Regex {
        &self.0
    }
}

/// The error in one line, without the copy of the pattern.
fn describe(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("the compiled pattern is larger than {limit} bytes"),
        error => {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            format!("invalid regular expression: {}", last.trim_start_matches("error: "))
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.as_str())
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// The keys of a rule in its file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FallbackFile {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pattern: Option<Pattern>,
    #[serde(default)]
    anywhere: bool,
    #[serde(default)]
    capitals: bool,
    #[serde(default)]
    pick: Pick,
}

impl FallbackFile {
    /// The rule, or the key that is wrong and why.
    pub(super) fn into_rule(self) -> Result<Fallback, (&'static str, String)> {
        let Self { name, pattern, anywhere, capitals, pick } = self;
        if name.trim().is_empty() || name.contains(char::is_control) || name.chars().count() > MAX_NAME {
            return Err(("name", format!("{name:?} is not a name of 1 to {MAX_NAME} characters")));
        }
        let search = match (pattern, anywhere) {
            (Some(_), false) if capitals => {
                return Err(("capitals", "only with anywhere = true; in a pattern, write (?i)".to_owned()));
            }
            (Some(pattern), false) => Search::Pattern(pattern),
            (None, true) => Search::Anywhere { capitals },
            _ => return Err(("name", format!("{name:?} must have either pattern or anywhere = true"))),
        };
        Ok(Fallback { name, search, pick })
    }
}

impl From<Fallback> for FallbackFile {
    fn from(rule: Fallback) -> Self {
        let Fallback { name, search, pick } = rule;
        let (pattern, anywhere, capitals) = match search {
            Search::Pattern(pattern) => (Some(pattern), false, false),
            Search::Anywhere { capitals } => (None, true, capitals),
        };
        Self { name, pattern, anywhere, capitals, pick }
    }
}
