//! Parses the text that should name the action or the list.

use std::ops::Range;

use super::Candidate;
use super::Leniency;
use super::ParseError;
use super::Spans;
use super::excerpt;
use super::fence;
use super::trimmed_span;
use crate::dialog::rules::Tolerance;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::nearest_names;

/// The maximum number of dropped list members whose spans are recorded.
const MAX_DROPPED_SPANS: usize = 20;

/// The candidates in a span of the reply: the span itself or, for a list, its members.
pub(super) fn split_candidates<'a>(
    tolerate: &Tolerance,
    list: bool,
    reply: &'a str,
    body: Range<usize>,
    spans: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let inner = if tolerate.fence { fence::fenced_body(reply, &body)? } else { None };
    if inner.is_some() {
        spans.record_leniency(Leniency::Fence);
    }
    let body = inner.unwrap_or(body);
    spans.action = Some(body.clone());
    let candidate = |at: Range<usize>| Candidate { text: reply[at.clone()].into(), span: at };
    if !list {
        return Ok(vec![candidate(body)]);
    }
    let separators = |c: char| c == ',' || tolerate.lines && c == '\n';
    let mut at = body.start;
    let mut candidates = Vec::new();
    for part in reply[body.clone()].split(separators) {
        candidates.push(candidate(trimmed_span(reply, at..at + part.len())));
        at += part.len() + 1;
    }
    let by_lines = tolerate.lines && candidates.len() > 1 && reply[body].contains('\n');
    if by_lines {
        spans.record_leniency(Leniency::Lines);
        candidates.retain(|candidate| !candidate.text.is_empty());
    }
    Ok(candidates)
}

/// The actions that the candidates name.
pub(super) fn match_actions(
    tolerate: &Tolerance,
    list: bool,
    candidates: &[Candidate<'_>],
    action_space: &ActionSpace,
    spans: &mut Spans,
) -> Result<Vec<Action>, ParseError> {
    let matcher = ActionMatcher {
        tolerate,
        action_space,
        lowercase_names: action_space.names().map(str::to_lowercase).collect(),
    };
    let rule = if list { "list" } else { "action" };
    let mut actions = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match matcher.match_action(&candidate.text, spans) {
            Some(action) => actions.push(action),
            None if list && tolerate.unknown => record_dropped(candidate, spans),
            None => return Err(matcher.no_match_error(rule, candidate)),
        }
    }
    match (actions.is_empty(), candidates) {
        (false, _) => Ok(actions),
        (true, []) => Err(ParseError::missing(rule, "the list is empty".into())),
        (true, [one]) => Err(matcher.no_match_error(rule, one)),
        (true, [first, .., end]) => {
            let why = format!("none of the {} list members is an action", candidates.len());
            let error = matcher.no_match_error(rule, first);
            Err(ParseError { why, at: Some(first.span.start..end.span.end), ..error })
        }
    }
}

fn record_dropped(candidate: &Candidate<'_>, spans: &mut Spans) {
    if !candidate.text.is_empty() && spans.dropped.len() < MAX_DROPPED_SPANS {
        spans.dropped.push(candidate.span.clone());
    }
}

/// Matches a text against the action names, within the tolerances.
struct ActionMatcher<'a> {
    tolerate: &'a Tolerance,
    action_space: &'a ActionSpace,
    lowercase_names: Vec<String>,
}

impl ActionMatcher<'_> {
    fn match_action(&self, text: &str, spans: &mut Spans) -> Option<Action> {
        let text = text.trim();
        if let Some(action) = self.action_space.find(text) {
            return Some(action);
        }
        let mut leniencies = Vec::new();
        let bare = self.strip_decorations(text, &mut leniencies);
        let action = self.action_space.find(bare).or_else(|| {
            leniencies.push(Leniency::Capitals);
            self.match_ignoring_case(bare)
        });
        if action.is_some() {
            for leniency in leniencies {
                spans.record_leniency(leniency);
            }
        }
        action
    }

    /// The text without the list markers, quotes and full stops that are tolerated around an action.
    fn strip_decorations<'t>(&self, text: &'t str, leniencies: &mut Vec<Leniency>) -> &'t str {
        let mut rest = text;
        while let Some((inner, leniency)) = self.strip_one_decoration(rest) {
            if !leniencies.contains(&leniency) {
                leniencies.push(leniency);
            }
            rest = inner.trim();
        }
        rest
    }

    fn strip_one_decoration<'t>(&self, text: &'t str) -> Option<(&'t str, Leniency)> {
        let marker = || strip_list_marker(text).map(|rest| (rest, Leniency::Marker));
        let ending = || {
            let rest = text.strip_suffix(|c| self.tolerate.ending.contains(c))?;
            Some((rest, Leniency::Ending))
        };
        let around = || {
            let inner = |pair: &String| {
                let mut ends = pair.chars();
                text.strip_prefix(ends.next()?)?.strip_suffix(ends.next()?)
            };
            self.tolerate.around.iter().find_map(inner).map(|inner| (inner, Leniency::Around))
        };
        Some(()).filter(|()| self.tolerate.markers).and_then(|()| marker()).or_else(around).or_else(ending)
    }

    /// The action with this name in any capitals; `None` if two action names differ only in capitals.
    fn match_ignoring_case(&self, name: &str) -> Option<Action> {
        let longest = self.lowercase_names.iter().map(String::len).max().unwrap_or(0);
        // A longer text cannot match, so it is not copied.
        let name = Some(name).filter(|name| self.tolerate.capitals && name.len() <= 4 * longest)?;
        let name = name.to_lowercase();
        let mut matches =
            self.lowercase_names.iter().zip(self.action_space.specs()).filter(|(lower, _)| **lower == name);
        match (matches.next(), matches.next()) {
            (Some((_, spec)), None) => self.action_space.find(&spec.name),
            _ => None,
        }
    }

    fn no_match_error(&self, rule: &str, candidate: &Candidate<'_>) -> ParseError {
        let text = candidate.text.trim();
        if text.is_empty() {
            return ParseError::at(rule, "the action is empty".into(), candidate.span.clone());
        }
        let count =
            text.split([',', '\n']).filter(|part| self.action_space.find(part.trim()).is_some()).count();
        let why = match count {
            0 | 1 => format!("{:?} is not an action", excerpt(text)),
            count => format!("{:?} names {count} actions, expected one", excerpt(text)),
        };
        let near =
            nearest_names(excerpt(text), self.action_space.names()).into_iter().map(str::to_owned).collect();
        ParseError { near, ..ParseError::at(rule, why, candidate.span.clone()) }
    }
}

/// The text after a list marker: `- `, `* `, `+ `, `1. ` or `1) `.
fn strip_list_marker(text: &str) -> Option<&str> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•'])?,
        digits => text[digits..].strip_prefix(['.', ')'])?,
    };
    rest.strip_prefix([' ', '\t'])
}
