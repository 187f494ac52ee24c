//! The rules of a reader as data: how the parts of a reply are set apart, and what is let pass beside the
//! exact form. A rule set is a file; the shipped ones are files too, compiled in. Nothing is read here.

mod file;

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use self::file::RulesFile;
use crate::domain::Delimiter;
use crate::domain::ReplyFormat;

/// The rule sets that ship, the benchmark's own first.
const SHIPPED: &[(&str, &str)] = &[
    ("strict", include_str!("../../../readers/strict.toml")),
    ("lenient", include_str!("../../../readers/lenient.toml")),
    ("think", include_str!("../../../readers/think.toml")),
    ("json", include_str!("../../../readers/json.toml")),
];

/// A named set of reading rules, whole: an episode keeps it, so that a changed file changes nothing that
/// was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RulesFile", into = "RulesFile")]
pub struct ReaderRules {
    name: String,
    version: u32,
    about: String,
    pub(super) requires_analysis: bool,
    pub(super) delimiters: DelimiterRules,
    pub(super) tolerate: Tolerance,
}

/// How the parts of a reply are set apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DelimiterRules {
    Headings(HeadingRules),
    Tags(TagRules),
    Json(JsonRules),
}

/// By headings; those of the environment where no others are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct HeadingRules {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) analysis: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<String>,
    pub(super) any_level: bool,
    pub(super) bold: bool,
    pub(super) capitals: bool,
    /// Whether the last action heading counts where there are several, not the first.
    pub(super) last: bool,
}

/// By tags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TagRules {
    pub(super) analysis: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<String>,
    /// Whether text may stand outside the tags.
    #[serde(default)]
    pub(super) outside: bool,
}

/// By the keys of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JsonRules {
    pub(super) analysis: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<String>,
    /// Whether text may stand before and after the object.
    #[serde(default)]
    pub(super) outside: bool,
}

/// What is let pass beside the exact form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Tolerance {
    /// Other capitals in an action.
    pub(super) capitals: bool,
    /// Characters that may follow an action.
    pub(super) ending: String,
    /// Pairs of characters that may stand around an action.
    pub(super) around: Vec<String>,
    /// A list marker before an action.
    pub(super) markers: bool,
    /// A fence around the action, the object or the whole reply.
    pub(super) fence: bool,
    /// A list with one action a line.
    pub(super) lines: bool,
    /// Members of a list that name no action.
    pub(super) unknown: bool,
}

/// Why a text is no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ReaderRulesError {
    /// What is wrong.
    pub what: String,
    /// The bytes of the text that are meant.
    pub span: std::ops::Range<usize>,
    /// A misspelt name and those that are known; empty when it is about no name.
    pub unknown_key: Option<(String, Vec<&'static str>)>,
}

impl ReaderRules {
    /// The rule sets that ship with the program: name and text of the file, the default first.
    pub fn shipped() -> &'static [(&'static str, &'static str)] {
        SHIPPED
    }

    /// A shipped rule set; `None` for a name that does not exist.
    pub fn named(name: &str) -> Option<Self> {
        let (name, text) = SHIPPED.iter().find(|row| row.0 == name)?;
        Self::parse(name, text).ok()
    }

    /// The rule set that this text of a file holds, under this name.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReaderRulesError> {
        file::parse(name, text)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The form of the replies that these rules read, in an environment whose own form this is.
    pub fn reply_format(&self, own: &ReplyFormat) -> ReplyFormat {
        let named = |name: &Option<String>, own: &std::borrow::Cow<'static, str>| {
            name.clone().map_or_else(|| own.clone(), Into::into)
        };
        let (marking, analysis, action) = match &self.delimiters {
            DelimiterRules::Headings(HeadingRules { analysis, action, actions, .. }) => {
                let action = if own.list { actions } else { action };
                (Delimiter::Headings, named(analysis, &own.analysis), named(action, &own.action))
            }
            DelimiterRules::Tags(TagRules { analysis, action, actions, .. }) => (
                Delimiter::Tags,
                analysis.clone().into(),
                list_part_name(action, actions.as_deref(), own.list),
            ),
            DelimiterRules::Json(JsonRules { analysis, action, actions, .. }) => (
                Delimiter::Json,
                analysis.clone().into(),
                list_part_name(action, actions.as_deref(), own.list),
            ),
        };
        ReplyFormat { delimiter: marking, analysis, action, list: own.list }
    }
}

/// The name for a list, where it has one of its own.
fn list_part_name(one: &str, many: Option<&str>, list: bool) -> std::borrow::Cow<'static, str> {
    many.filter(|_| list).unwrap_or(one).to_owned().into()
}

/// `strict/1`: the name and the version.
impl fmt::Display for ReaderRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_rule_set_parses_and_round_trips_through_a_journal() {
        for (name, text) in ReaderRules::shipped() {
            let rules = ReaderRules::parse(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(rules.to_string(), format!("{name}/1"));
            let kept = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<ReaderRules>(&kept).unwrap(), rules, "{kept}");
        }
    }

    #[test]
    fn the_reply_format_depends_on_the_environment_and_the_rules() {
        let own = |list| ReplyFormat::headings("# analyze", "# action", list);
        let form = |name: &str, list| ReaderRules::named(name).unwrap().reply_format(&own(list));
        assert_eq!(form("strict", false), own(false));
        assert_eq!(form("lenient", true), own(true));
        let think = form("think", true);
        assert_eq!((think.delimiter, &*think.analysis, &*think.action), (Delimiter::Tags, "think", "answer"));
        assert_eq!(&*form("json", false).action, "action");
        assert_eq!(&*form("json", true).action, "actions");
        for (name, _) in ReaderRules::shipped() {
            let rules = ReaderRules::named(name).unwrap();
            assert_eq!(
                rules.reply_format(&rules.reply_format(&own(true))),
                rules.reply_format(&own(true)),
                "{name}"
            );
        }
    }
}
