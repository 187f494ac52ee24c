//! Reader rules as data: how a reply separates the analysis from the action, and which deviations are accepted.
//!
//! A set of rules is a TOML file; the shipped ones are compiled in. This module reads no files.

mod fallback;
mod file;
mod location;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(super) use self::fallback::{Fallback, Pick, Search};
use self::file::RulesFile;
use mageyard_domain::{ActionKeys, Delimiter, ReplyFormat};

/// The shipped rules: name and file text. The default is first.
const SHIPPED: &[(&str, &str)] = &[
    ("strict", include_str!("../../../readers/strict.toml")),
    ("lenient", include_str!("../../../readers/lenient.toml")),
    ("magebench", include_str!("../../../readers/magebench.toml")),
    ("rescue", include_str!("../../../readers/rescue.toml")),
    ("think", include_str!("../../../readers/think.toml")),
    ("json", include_str!("../../../readers/json.toml")),
    ("looks", include_str!("../../../readers/looks.toml")),
    ("looks-code", include_str!("../../../readers/looks-code.toml")),
    ("webcanvas", include_str!("../../../readers/webcanvas.toml")),
    ("cell", include_str!("../../../readers/cell.toml")),
    ("cell-code", include_str!("../../../readers/cell-code.toml")),
];

/// Earlier names of shipped rules, and their names now.
const EARLIER_NAMES: &[(&str, &str)] = &[("parity", "magebench")];

/// A named set of rules. An episode stores its rules, so a changed file does not affect episodes that exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RulesFile", into = "RulesFile")]
pub struct ReaderRules {
    name: String,
    version: u32,
    about: String,
    pub(super) requires_analysis: bool,
    pub(super) delimiters: DelimiterRules,
    pub(super) tolerate: Tolerance,
    pub(super) blocks: BlockRules,
    /// Tried in this order when the delimiters give no action.
    pub(super) fallbacks: Vec<Fallback>,
}

/// How a reply separates the analysis from the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DelimiterRules {
    Headings(HeadingRules),
    Tags(TagRules),
    Json(JsonRules),
    Answer(AnswerRules),
    Keys(KeyRules),
    /// With a fenced block.
    Cell(CellRules),
}

/// With headings. A heading that is not given is the one of the environment.
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
    /// Whether the last action heading is used instead of the first, if there are several.
    pub(super) last: bool,
    /// Whether the action heading may be anywhere in a line: what is between its first and its second occurrence is
    /// read, or the complete reply if it has none (the benchmark's released code).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) anywhere: bool,
}

/// With tags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TagRules {
    pub(super) analysis: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<String>,
    /// Whether text outside the tags is accepted.
    #[serde(default)]
    pub(super) outside: bool,
}

/// With the keys of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JsonRules {
    pub(super) analysis: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<String>,
    /// Whether text before and after the object is accepted.
    #[serde(default)]
    pub(super) outside: bool,
    /// Whether texts under the labels of code are accepted instead of actions, where actions write code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) code: bool,
}

/// With a word before the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct AnswerRules {
    /// The word with its colon.
    pub(super) word: String,
    /// Whether the answer is found by the rules of released code.
    pub(super) released: bool,
}

impl Default for AnswerRules {
    fn default() -> Self {
        Self { word: "Answer:".to_owned(), released: false }
    }
}

/// With a fenced block, the first of the reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CellRules {
    /// Whether the block is found by the rules of released code.
    pub(super) released: bool,
}

/// With a key for each part of an action, in one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyRules {
    pub(super) analysis: String,
    /// The name of the action.
    pub(super) action: String,
    /// The argument that is not the number of an element.
    pub(super) input: String,
    /// The number of an element.
    pub(super) element: String,
    /// A description of the action, which is not read.
    pub(super) remark: String,
    /// The parameter that takes the number of an element.
    pub(super) parameter: String,
}

impl KeyRules {
    /// The keys in the order in which the format has them, with their names in the file.
    pub(super) fn keys(&self) -> [(&'static str, &str); 5] {
        [
            ("analysis", &self.analysis),
            ("action", &self.action),
            ("input", &self.input),
            ("element", &self.element),
            ("remark", &self.remark),
        ]
    }

    fn action_keys(&self) -> ActionKeys {
        let KeyRules { input, element, remark, parameter, .. } = self.clone();
        let [input, element, remark, parameter] = [input, element, remark, parameter].map(Into::into);
        ActionKeys { element, parameter, input, remark }
    }
}

/// How the code blocks of a reply are found, where its actions are code blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BlockRules {
    pub(super) split: BlockSplit,
    /// Other capitals, other names of a language, and names of parameters and files as labels, also in the line before
    /// a block.
    pub(super) labels: bool,
    /// Fences of `~~~`, longer and indented ones, white space after them, and `\r\n`.
    pub(super) fences: bool,
    /// A last block without a closing fence.
    pub(super) open: bool,
}

/// What separates code blocks from the text around them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BlockSplit {
    /// Lines that are fences, as in Markdown.
    #[default]
    Lines,
    /// Every three backticks, as in the benchmark's released code.
    Backticks,
}

impl BlockRules {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Deviations from the exact format that are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Tolerance {
    /// Other capitals in an action.
    pub(super) capitals: bool,
    /// Characters that may follow an action.
    pub(super) ending: String,
    /// Pairs of characters that may surround an action.
    pub(super) around: Vec<String>,
    /// A list marker before an action.
    pub(super) markers: bool,
    /// A code fence around the action, the object or the complete reply.
    pub(super) fence: bool,
    /// A list with one action per line.
    pub(super) lines: bool,
    /// Common forms of lists: in brackets or bold, `Up x2`, `and Left`, explanations after an action, arrows and full-width
    /// signs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) lists: bool,
    /// Tokens of chat templates at the end of the reply.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) tokens: bool,
    /// List members that are not action names; they are ignored.
    pub(super) unknown: bool,
    /// Whether an episode with such a member counts as one with an invalid action.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) unknown_is_invalid: bool,
}

/// A mistake in a file of reader rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReaderRulesError {
    /// What is wrong, with the key.
    pub message: String,
    /// The bytes of the file that it is about.
    pub span: std::ops::Range<usize>,
    /// An unknown key and the known ones, if the mistake is an unknown key.
    pub unknown_key: Option<(String, Vec<&'static str>)>,
}

impl ReaderRules {
    /// The rules that ship with the program: name and text of each file, the default first.
    pub fn shipped() -> &'static [(&'static str, &'static str)] {
        SHIPPED
    }

    /// Earlier names of shipped rules, each with the name that they have now.
    pub fn earlier_names() -> &'static [(&'static str, &'static str)] {
        EARLIER_NAMES
    }

    /// Shipped rules by name or earlier name; `None` if there are none of this name.
    pub fn named(name: &str) -> Option<Self> {
        let name = EARLIER_NAMES.iter().find(|row| row.0 == name).map_or(name, |row| row.1);
        let (name, text) = SHIPPED.iter().find(|row| row.0 == name)?;
        Self::parse(name, text).ok()
    }

    /// Parses the text of a file of rules, and names the rules.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReaderRulesError> {
        file::parse(name, text)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A summary in one line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Whether an episode counts as one with an invalid action (IA) when a list member that is not an action was ignored
    /// (`MageBench`, error analysis: output outside the required format).
    pub fn counts_dropped_as_invalid(&self) -> bool {
        self.tolerate.unknown_is_invalid
    }

    /// The rules for a reply that ended before its end: a last code block without a closing fence is accepted.
    #[must_use]
    pub fn for_cut_reply(&self) -> Self {
        Self { blocks: BlockRules { open: true, ..self.blocks.clone() }, ..self.clone() }
    }

    /// The format of replies that these rules parse, in an environment with this format of its own.
    pub fn reply_format(&self, own: &ReplyFormat) -> ReplyFormat {
        let named = |name: &Option<String>, own: &std::borrow::Cow<'static, str>| {
            name.clone().map_or_else(|| own.clone(), Into::into)
        };
        let (delimiter, analysis, action) = match &self.delimiters {
            DelimiterRules::Headings(HeadingRules {
                analysis: None, action: None, actions: None, ..
            }) if own.delimiter == Delimiter::Whole => {
                return own.clone();
            }
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
            DelimiterRules::Answer(AnswerRules { word, .. }) => {
                (Delimiter::Answer, own.analysis.clone(), word.clone().into())
            }
            DelimiterRules::Cell(_) => (Delimiter::Cell, own.analysis.clone(), own.action.clone()),
            DelimiterRules::Keys(KeyRules { analysis, action, .. }) => {
                (Delimiter::Keys, analysis.clone().into(), action.clone().into())
            }
        };
        let keys = match &self.delimiters {
            DelimiterRules::Keys(keys) => keys.action_keys(),
            _ => own.keys.clone(),
        };
        ReplyFormat { delimiter, analysis, action, list: own.list, notation: own.notation, keys }
    }
}

/// The name of the action part: the one for lists if the format is a list and has one.
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
            let stored = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<ReaderRules>(&stored).unwrap(), rules, "{stored}");
        }
    }

    #[test]
    fn the_reply_format_depends_on_the_environment_and_the_rules() {
        let own = |list| ReplyFormat::headings("# analyze", "# action", list);
        let format = |name: &str, list| ReaderRules::named(name).unwrap().reply_format(&own(list));
        assert_eq!(format("strict", false), own(false));
        assert_eq!(format("lenient", true), own(true));
        let think = format("think", true);
        assert_eq!((think.delimiter, &*think.analysis, &*think.action), (Delimiter::Tags, "think", "answer"));
        assert_eq!(&*format("json", false).action, "action");
        assert_eq!(&*format("json", true).action, "actions");
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
