//! The reader: from the raw text of a reply to actions, or to the first rule that failed.
//!
//! It marks which characters it took, and never repairs: what the rules do not allow is refused in
//! words. Each part is looked at a fixed number of times, so its time is linear in the length.

mod actions;
mod fence;
mod headings;
mod json;
mod tags;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::Serialize;

use super::rules::DelimiterRules;
use super::rules::ReaderRules;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::ReplyFormat;

/// Something the rules let pass beside the exact form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leniency {
    /// A heading at another level, in bold, or in other capitals.
    Heading,
    /// A fence around the action, the object or the reply.
    Fence,
    /// Text outside the tags or the object.
    Outside,
    /// A list with one action a line.
    Lines,
    /// A list marker before an action.
    Marker,
    /// Quotes or the like around an action.
    Around,
    /// A full stop or the like after an action.
    Ending,
    /// Other capitals in an action.
    Capitals,
}

impl fmt::Display for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Heading => "another heading",
            Self::Fence => "a fence",
            Self::Outside => "text outside",
            Self::Lines => "one action a line",
            Self::Marker => "a list marker",
            Self::Around => "signs around it",
            Self::Ending => "a sign after it",
            Self::Capitals => "other capitals",
        })
    }
}

/// Byte ranges of a reply that the reader took, and what it let pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spans {
    /// The analysis, without the white space around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Range<usize>>,
    /// What was read as the action or the list, without the white space around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Range<usize>>,
    /// Members of the list that name no action and were passed over; the first twenty of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Range<usize>>,
    /// What the rules had to let pass, each sort once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub liberties: Vec<Leniency>,
}

impl Spans {
    fn record_leniency(&mut self, liberty: Leniency) {
        if !self.liberties.contains(&liberty) {
            self.liberties.push(liberty);
        }
    }
}

/// The first rule that failed, and why in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseError {
    /// The rule's short name: `heading`, `tag`, `object`, `key`, `analysis`, `fence`, `action` or `list`.
    pub rule: String,
    /// What was found and what would have been right.
    pub why: String,
    /// The bytes of the reply that broke the rule; `None` when something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Range<usize>>,
    /// The nearest legal actions, to be shown and never to be applied.
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

/// A verdict on a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOutcome {
    /// The actions (exactly one unless the form is a list), or the rule that failed.
    pub result: Result<Vec<Action>, ParseError>,
    /// Which characters were taken for what.
    pub spans: Spans,
}

/// A stretch of text that should name an action, and where in the reply it stands.
#[derive(Clone, Debug)]
struct Candidate<'a> {
    text: Cow<'a, str>,
    span: Range<usize>,
}

/// Reads a reply by these rules. The form is the one that [`ReaderRules::form`] gives for the environment.
pub fn parse_reply(
    rules: &ReaderRules,
    form: &ReplyFormat,
    reply: &str,
    space: &ActionSpace,
) -> ParseOutcome {
    let mut marks = Spans::default();
    let verdict = find_candidates(rules, form, reply, &mut marks)
        .and_then(|members| actions::match_actions(&rules.tolerate, form.list, &members, space, &mut marks));
    ParseOutcome { result: verdict, spans: marks }
}

/// The stretches that should name actions: one, or those of the list.
fn find_candidates<'a>(
    rules: &ReaderRules,
    form: &ReplyFormat,
    reply: &'a str,
    marks: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let found = match &rules.delimiters {
        DelimiterRules::Headings(headings) => {
            headings::locate_action(rules, headings, form, reply, marks).map(Located::Span)
        }
        DelimiterRules::Tags(tags) => tags::locate_action(tags, form, reply, marks).map(Located::Span),
        DelimiterRules::Json(json) => {
            json::locate_actions(rules, json, form, reply, marks).map(Located::Candidates)
        }
    };
    let found = found?;
    if rules.requires_analysis && marks.analysis.is_none() {
        let why = format!("the rules want an analysis ({:?}), and there is none", form.analysis);
        return Err(ParseError::missing("analysis", why));
    }
    match found {
        Located::Candidates(members) => Ok(members),
        Located::Span(body) => actions::split_candidates(&rules.tolerate, form.list, reply, body, marks),
    }
}

enum Located<'a> {
    Span(Range<usize>),
    Candidates(Vec<Candidate<'a>>),
}

/// The range without the white space at its ends.
fn trimmed_span(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The first 60 characters: enough to recognise, never a flood.
fn excerpt(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
