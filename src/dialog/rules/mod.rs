//! The rules of a reader as data: how the parts of a reply are set apart, and what is let pass beside the
//! exact form. A rule set is a file; the shipped ones are files too, compiled in. Nothing is read here.

mod file;

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use self::file::File;
use crate::domain::Form;
use crate::domain::Marking;

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
#[serde(try_from = "File", into = "File")]
pub struct Rules {
    name: String,
    version: u32,
    about: String,
    pub(super) requires_analysis: bool,
    pub(super) shape: Shape,
    pub(super) tolerate: Tolerance,
}

/// How the parts of a reply are set apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Headings(Headings),
    Tags(Tags),
    Json(Json),
}

/// By headings; those of the environment where no others are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Headings {
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
pub(super) struct Tags {
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
pub(super) struct Json {
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
pub struct RulesError {
    /// What is wrong.
    pub what: String,
    /// The bytes of the text that are meant.
    pub span: std::ops::Range<usize>,
    /// A misspelt name and those that are known; empty when it is about no name.
    pub known: Option<(String, Vec<&'static str>)>,
}

impl Rules {
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
    pub fn parse(name: &str, text: &str) -> Result<Self, RulesError> {
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
    pub fn form(&self, own: &Form) -> Form {
        let named = |name: &Option<String>, own: &std::borrow::Cow<'static, str>| {
            name.clone().map_or_else(|| own.clone(), Into::into)
        };
        let (marking, analysis, action) = match &self.shape {
            Shape::Headings(Headings { analysis, action, actions, .. }) => {
                let action = if own.list { actions } else { action };
                (Marking::Headings, named(analysis, &own.analysis), named(action, &own.action))
            }
            Shape::Tags(Tags { analysis, action, actions, .. }) => {
                (Marking::Tags, analysis.clone().into(), plural(action, actions.as_deref(), own.list))
            }
            Shape::Json(Json { analysis, action, actions, .. }) => {
                (Marking::Json, analysis.clone().into(), plural(action, actions.as_deref(), own.list))
            }
        };
        Form { marking, analysis, action, list: own.list }
    }
}

/// The name for a list, where it has one of its own.
fn plural(one: &str, many: Option<&str>, list: bool) -> std::borrow::Cow<'static, str> {
    many.filter(|_| list).unwrap_or(one).to_owned().into()
}

/// `strict/1`: the name and the version.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_rule_set_is_read_and_survives_a_journal() {
        for (name, text) in Rules::shipped() {
            let rules = Rules::parse(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(rules.to_string(), format!("{name}/1"));
            let kept = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<Rules>(&kept).unwrap(), rules, "{kept}");
        }
    }

    #[test]
    fn the_form_follows_from_the_environment_and_the_rules() {
        let own = |list| Form::headings("# analyze", "# action", list);
        let form = |name: &str, list| Rules::named(name).unwrap().form(&own(list));
        assert_eq!(form("strict", false), own(false));
        assert_eq!(form("lenient", true), own(true));
        let think = form("think", true);
        assert_eq!((think.marking, &*think.analysis, &*think.action), (Marking::Tags, "think", "answer"));
        assert_eq!(&*form("json", false).action, "action");
        assert_eq!(&*form("json", true).action, "actions");
        for (name, _) in Rules::shipped() {
            let rules = Rules::named(name).unwrap();
            assert_eq!(rules.form(&rules.form(&own(true))), rules.form(&own(true)), "{name}");
        }
    }
}
