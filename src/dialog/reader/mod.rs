//! The reader: parses a reply into actions, or reports the first rule that failed.
//!
//! It records the spans of the reply that it used, and never repairs a reply: what the rules do not accept is a parse
//! error. Fallback rules, if the reader has any, are tried in order when the delimiters give no action. Each part of a
//! reply is examined a limited number of times, so parsing takes linear time.

mod actions;
mod anywhere;
mod balance;
mod block_builder;
mod block_splitter;
#[cfg(test)]
mod block_tests;
mod code_blocks;
mod fallback;
mod fence;
#[cfg(test)]
mod forms_tests;
mod headings;
mod json;
mod json_code;
mod json_spans;
mod labels;
mod members;
mod objects;
#[cfg(test)]
mod page_forms_tests;
#[cfg(test)]
mod parameter_tests;
mod plain_members;
mod released;
mod released_blocks;
#[cfg(test)]
mod table_tests;
mod tags;
mod template_tokens;
#[cfg(test)]
mod tests;
mod unchanged;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use self::fallback::Fallbacks;
use super::rules::{BlockSplit, DelimiterRules, ReaderRules};
use mageyard_domain::{Action, ActionSpace, Delimiter, Notation, ReplyFormat};

/// A deviation from the exact format that the rules accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leniency {
    /// A heading at another level, in bold, or in other capitals.
    Heading,
    /// A code fence around the action, the object or the reply.
    Fence,
    /// Text outside the tags or the object.
    Outside,
    /// A list with one action per line.
    Lines,
    /// A list marker before an action.
    Marker,
    /// Quotes or similar characters around an action.
    Around,
    /// A full stop or a similar character after an action.
    Ending,
    /// Other capitals in an action.
    Capitals,
    /// Another label of a code block.
    Label,
    /// How often an action is repeated, as a number after it.
    Count,
    /// An explanation after an action.
    Explanation,
    /// Words or signs other than a comma between list members.
    Joint,
    /// Tokens of a chat template at the end of the reply.
    Token,
}

impl fmt::Display for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Heading => "another heading",
            Self::Fence => "a code fence",
            Self::Outside => "text outside the format",
            Self::Lines => "one action per line",
            Self::Marker => "a list marker",
            Self::Around => "characters around the action",
            Self::Ending => "a character after the action",
            Self::Capitals => "other capitals",
            Self::Label => "another label of a code block",
            Self::Count => "a number of repetitions",
            Self::Explanation => "an explanation after an action",
            Self::Joint => "words or signs between actions",
            Self::Token => "tokens of a chat template at the end",
        })
    }
}

/// The byte ranges of a reply that the reader used, and the deviations that it accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spans {
    /// The analysis, without surrounding white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Range<usize>>,
    /// The action or the list, without surrounding white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Range<usize>>,
    /// The first twenty list members that are not action names, or blocks with an unknown label, and were ignored.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub dropped: ThinVec<Range<usize>>,
    /// How many more were ignored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_dropped: u32,
    /// The deviations that were accepted, each kind once.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub liberties: ThinVec<Leniency>,
    /// The first hundred arguments of the actions.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub args: ThinVec<ArgumentSpan>,
    /// The first hundred code blocks.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub blocks: ThinVec<BlockSpan>,
    /// The fallback rule that found the action, if the delimiters gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<FallbackMatch>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A code block in a reply, and what it was read as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSpan {
    /// The bytes of its label; may be empty.
    pub label: Range<usize>,
    /// The parameter that got its code; `None` if the block is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The bytes of its code.
    pub at: Range<usize>,
    /// The rule that says so.
    pub rule: BlockRule,
    /// Whether a later block replaced it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
}

impl BlockSpan {
    fn new(rule: BlockRule, at: Range<usize>) -> Self {
        Self { label: at.start..at.start, parameter: None, at, rule, replaced: false }
    }
}

/// Why a code block belongs to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockRule {
    /// It has exactly the label of the parameter.
    Exact,
    /// It has another label that can only mean this parameter.
    Other,
    /// It has no label, and only this parameter takes code.
    Unlabelled,
    /// A sentence without code says that it does not change.
    Unchanged,
    /// Its text begins with the label (the benchmark's released code).
    Prefix,
    /// It has more angle brackets than lines (the benchmark's released code).
    AngleBrackets,
    /// It has `;`, `function `, `document.` or `const` (the benchmark's released code).
    Keywords,
    /// It has more than one curly bracket (the benchmark's released code).
    Braces,
    /// Its label is unknown.
    Unknown,
}

impl fmt::Display for BlockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "the label",
            Self::Other => "another label",
            Self::Unlabelled => "no label, and only one file is possible",
            Self::Unchanged => "a sentence says that it does not change",
            Self::Prefix => "it begins with the label",
            Self::AngleBrackets => "guessed: more < and > than lines",
            Self::Keywords => "guessed: ; or function or document. or const",
            Self::Braces => "guessed: more than one curly bracket",
            Self::Unknown => "unknown label, ignored",
        })
    }
}

/// An argument in a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentSpan {
    /// The name of the parameter.
    pub parameter: String,
    /// The bytes of its value.
    pub at: Range<usize>,
}

/// The match of a fallback rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FallbackMatch {
    /// The name of the rule.
    pub rule: String,
    /// The bytes of the reply that it matched; the action is a part of them.
    pub span: Range<usize>,
}

/// The maximum number of arguments whose spans are recorded.
const MAX_ARGUMENT_SPANS: usize = 100;

/// The maximum number of code blocks whose spans are recorded.
const MAX_BLOCK_SPANS: usize = 100;

/// The maximum number of dropped list members whose spans are recorded.
const MAX_DROPPED_SPANS: usize = 20;

impl Spans {
    fn record_dropped(&mut self, at: Range<usize>) {
        if at.is_empty() {
            return;
        }
        if self.dropped.len() < MAX_DROPPED_SPANS {
            self.dropped.push(at);
        } else {
            self.more_dropped = self.more_dropped.saturating_add(1);
        }
    }

    /// How many list members or blocks were ignored. Of recordings without this count, at most twenty are known.
    pub fn dropped_count(&self) -> usize {
        self.dropped.len() + usize::try_from(self.more_dropped).unwrap_or(usize::MAX)
    }

    fn record_argument(&mut self, parameter: &str, at: Range<usize>) {
        if self.args.len() < MAX_ARGUMENT_SPANS {
            self.args.push(ArgumentSpan { parameter: parameter.to_owned(), at });
        }
    }

    fn record_block(&mut self, block: BlockSpan) {
        if self.blocks.len() < MAX_BLOCK_SPANS {
            self.blocks.push(block);
        }
    }

    /// Marks the block with this code: a later one replaced it.
    fn mark_replaced(&mut self, code: &Range<usize>) {
        for block in self.blocks.iter_mut().filter(|block| block.at == *code) {
            block.replaced = true;
        }
    }

    /// Adds the arguments and the deviations of a part of the reply.
    fn append(&mut self, part: Self) {
        for argument in part.args {
            self.record_argument(&argument.parameter, argument.at);
        }
        for leniency in part.liberties {
            self.record_leniency(leniency);
        }
    }

    fn record_leniency(&mut self, leniency: Leniency) {
        if !self.liberties.contains(&leniency) {
            self.liberties.push(leniency);
        }
    }
}

/// The first rule that failed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseError {
    /// The name of the rule: `heading`, `tag`, `object`, `key`, `analysis`, `fence`, `block`, `action`, `list` or
    /// `argument`; or the name of the ending of a reply that is not read, such as `cut`.
    pub rule: String,
    /// What was found and what was expected.
    pub why: String,
    /// The bytes of the reply that failed; `None` if something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Range<usize>>,
    /// The nearest allowed actions, parameters or values. They are shown, never applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

impl ParseError {
    fn missing(rule: &str, why: String) -> Self {
        Self { rule: rule.into(), why, at: None, near: Vec::new() }
    }

    fn at(rule: &str, why: String, at: Range<usize>) -> Self {
        Self { at: Some(at), ..Self::missing(rule, why) }
    }
}

/// The result of parsing a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOutcome {
    /// The actions (exactly one unless the format is a list), or the rule that failed.
    pub result: Result<Vec<Action>, ParseError>,
    /// The spans of the reply that were used.
    pub spans: Spans,
}

/// A text that should name an action, and its span in the reply.
#[derive(Clone, Debug)]
struct Candidate<'a> {
    text: Cow<'a, str>,
    span: Range<usize>,
    /// Whether the text is a JSON object.
    is_object: bool,
}

impl<'a> Candidate<'a> {
    fn written(text: impl Into<Cow<'a, str>>, span: Range<usize>) -> Self {
        Self { text: text.into(), span, is_object: false }
    }
}

/// Parses a reply. `format` is the one that [`ReaderRules::reply_format`] gives for the environment.
pub fn parse_reply(
    rules: &ReaderRules,
    format: &ReplyFormat,
    reply: &str,
    action_space: &ActionSpace,
) -> ParseOutcome {
    let mut spans = Spans::default();
    let text = if rules.tolerate.tokens { template_tokens::without_tokens(reply) } else { reply };
    if text.len() < reply.len() {
        spans.record_leniency(Leniency::Token);
    }
    let reply = text;
    let part = ActionPart { rules, format, reply, action_space };
    let result = part.locate(&mut spans).and_then(|located| part.parse(located, &mut spans));
    if rules.fallbacks.is_empty() {
        return ParseOutcome { result, spans };
    }
    let fallbacks = Fallbacks(&part);
    let (actions, spans) = match result {
        Ok(actions) => (actions, spans),
        Err(error) => match fallbacks.apply() {
            Ok(found) => found,
            Err(reasons) => return ParseOutcome { result: Err(with_reasons(error, &reasons)), spans },
        },
    };
    let lost_members = format.list && spans.dropped_count() > 0;
    let longer = Some(()).filter(|()| lost_members).and_then(|()| fallbacks.longer(&actions, &spans));
    let (actions, spans) = longer.unwrap_or((actions, spans));
    ParseOutcome { result: Ok(actions), spans }
}

/// The error of the delimiters, with the reasons of at most three fallback rules.
fn with_reasons(error: ParseError, reasons: &[String]) -> ParseError {
    let details = if reasons.is_empty() {
        String::new()
    } else {
        format!(" ({})", reasons[..reasons.len().min(3)].join("; "))
    };
    ParseError { why: format!("{}; no fallback rule found an action{details}", error.why), ..error }
}

/// A reply, and how the part of it that names the actions is found and parsed.
#[derive(Clone, Copy)]
struct ActionPart<'a> {
    rules: &'a ReaderRules,
    format: &'a ReplyFormat,
    reply: &'a str,
    action_space: &'a ActionSpace,
}

/// What the delimiters locate.
enum Located<'a> {
    Span(Range<usize>),
    Candidates(Vec<Candidate<'a>>),
    Actions(Vec<Action>),
}

impl<'a> ActionPart<'a> {
    /// The part that the delimiters locate.
    fn locate(&self, spans: &mut Spans) -> Result<Located<'a>, ParseError> {
        let Self { rules, format, reply, .. } = *self;
        let released = rules.blocks.split == BlockSplit::Backticks && format.notation == Notation::CodeBlocks;
        let found = match &rules.delimiters {
            DelimiterRules::Headings(_) if format.delimiter == Delimiter::Whole => {
                return Ok(Located::Span(trimmed_span(reply, 0..reply.len())));
            }
            DelimiterRules::Headings(headings) if released || headings.anywhere => {
                Ok(Located::Span(released::section(format, reply, spans)))
            }
            DelimiterRules::Headings(headings) => {
                headings::locate_action(rules, headings, format, reply, spans).map(Located::Span)
            }
            DelimiterRules::Tags(tags) => tags::locate_action(tags, format, reply, spans).map(Located::Span),
            DelimiterRules::Json(json) => json::locate_actions(self, json, spans),
        };
        let found = found?;
        if rules.requires_analysis && spans.analysis.is_none() {
            let why = format!("the reply has no analysis ({:?}), which the rules require", format.analysis);
            return Err(ParseError::missing("analysis", why));
        }
        Ok(found)
    }

    /// The actions of the part.
    fn parse(&self, located: Located<'a>, spans: &mut Spans) -> Result<Vec<Action>, ParseError> {
        let candidates = match (located, self.format.notation) {
            (Located::Actions(actions), _) => return Ok(actions),
            (Located::Candidates(candidates), _) => candidates,
            (Located::Span(body), Notation::CodeBlocks) => return code_blocks::parse(self, body, spans),
            (Located::Span(body), Notation::Json) => objects::split_candidates(self, body, spans)?,
            (Located::Span(body), Notation::Call) => members::split_candidates(self, body, spans)?,
        };
        actions::match_actions(self, &candidates, spans)
    }
}

/// The range without leading and trailing white space.
fn trimmed_span(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// At most the first 60 characters, for messages.
fn excerpt(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

/// The text after a word that it begins with, in any capitals if these are accepted.
fn strip_word<'a>(text: &'a str, word: &str, capitals: bool) -> Option<&'a str> {
    if !capitals {
        return text.strip_prefix(word);
    }
    let mut rest = text.chars();
    let same = |expected: char, c: char| expected == c || expected.to_lowercase().eq(c.to_lowercase());
    word.chars().all(|expected| rest.next().is_some_and(|c| same(expected, c))).then_some(rest.as_str())
}
