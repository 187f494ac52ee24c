//! The reader: parses a reply into actions, or reports the first rule that failed.
//!
//! It records the spans of the reply that it used, and never repairs a reply: what the rules do not accept is a parse
//! error. Fallback rules, if the reader has any, are tried in order when the delimiters give no action. Each part of a
//! reply is examined a limited number of times, so parsing takes linear time.

mod actions;
mod answer;
mod anywhere;
mod balance;
mod block_builder;
mod block_splitter;
#[cfg(test)]
mod block_tests;
mod cell;
mod code_blocks;
mod fallback;
mod fence;
#[cfg(test)]
mod forms_tests;
mod headings;
mod intention;
mod json;
mod json5_entries;
mod json_code;
mod json_spans;
mod keyed;
#[cfg(test)]
mod keyed_tests;
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
mod spans;
#[cfg(test)]
mod table_tests;
mod tags;
mod template_tokens;
#[cfg(test)]
mod tests;
mod unchanged;

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use self::fallback::Fallbacks;
pub use self::intention::announced_action;
pub use self::spans::{ArgumentSpan, BlockRule, BlockSpan, FallbackMatch, Leniency, Spans};
use super::rules::{BlockSplit, DelimiterRules, ReaderRules};
use mageyard_domain::{Action, ActionSpace, Delimiter, Notation, ReplyFormat};

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
            DelimiterRules::Answer(answer) => answer::locate(self, answer, spans),
            DelimiterRules::Keys(keys) => keyed::locate(self, keys, spans),
            DelimiterRules::Cell(cell) => cell::locate(self, cell, spans),
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
