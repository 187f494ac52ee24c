//! From the stretch that should name actions to the actions.

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

/// Dropped members that are marked; a reply may hold any number of them.
const MAX_DROPPED_SPANS: usize = 20;

/// The members of a stretch of the reply: itself, or what commas part.
pub(super) fn split_candidates<'a>(
    tolerate: &Tolerance,
    list: bool,
    reply: &'a str,
    body: Range<usize>,
    marks: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let inner = if tolerate.fence { fence::fenced_body(reply, &body)? } else { None };
    if inner.is_some() {
        marks.record_leniency(Leniency::Fence);
    }
    let body = inner.unwrap_or(body);
    marks.action = Some(body.clone());
    let member = |at: Range<usize>| Candidate { text: reply[at.clone()].into(), span: at };
    if !list {
        return Ok(vec![member(body)]);
    }
    let parts = |c: char| c == ',' || tolerate.lines && c == '\n';
    let mut at = body.start;
    let mut members = Vec::new();
    for part in reply[body.clone()].split(parts) {
        members.push(member(trimmed_span(reply, at..at + part.len())));
        at += part.len() + 1;
    }
    let by_lines = tolerate.lines && members.len() > 1 && reply[body].contains('\n');
    if by_lines {
        marks.record_leniency(Leniency::Lines);
        members.retain(|member| !member.text.is_empty());
    }
    Ok(members)
}

/// The actions that these members name.
pub(super) fn match_actions(
    tolerate: &Tolerance,
    list: bool,
    members: &[Candidate<'_>],
    space: &ActionSpace,
    marks: &mut Spans,
) -> Result<Vec<Action>, ParseError> {
    let eye = ActionMatcher {
        tolerate,
        action_space: space,
        lowercase_names: space.names().map(str::to_lowercase).collect(),
    };
    let rule = if list { "list" } else { "action" };
    let mut actions = Vec::with_capacity(members.len());
    for member in members {
        match eye.match_action(&member.text, marks) {
            Some(action) => actions.push(action),
            None if list && tolerate.unknown => record_dropped(member, marks),
            None => return Err(eye.no_match_error(rule, member)),
        }
    }
    match (actions.is_empty(), members) {
        (false, _) => Ok(actions),
        (true, []) => Err(ParseError::missing(rule, "the list holds no action".into())),
        (true, [one]) => Err(eye.no_match_error(rule, one)),
        (true, [first, .., end]) => {
            let why = format!("none of the {} members of the list is an action", members.len());
            let refused = eye.no_match_error(rule, first);
            Err(ParseError { why, at: Some(first.span.start..end.span.end), ..refused })
        }
    }
}

fn record_dropped(member: &Candidate<'_>, marks: &mut Spans) {
    if !member.text.is_empty() && marks.dropped.len() < MAX_DROPPED_SPANS {
        marks.dropped.push(member.span.clone());
    }
}

/// Sees an action in a text, as far as the rules let it.
struct ActionMatcher<'a> {
    tolerate: &'a Tolerance,
    action_space: &'a ActionSpace,
    lowercase_names: Vec<String>,
}

impl ActionMatcher<'_> {
    fn match_action(&self, written: &str, marks: &mut Spans) -> Option<Action> {
        let written = written.trim();
        if let Some(action) = self.action_space.find(written) {
            return Some(action);
        }
        let mut liberties = Vec::new();
        let bare = self.strip_decorations(written, &mut liberties);
        let action = self.action_space.find(bare).or_else(|| {
            liberties.push(Leniency::Capitals);
            self.match_ignoring_case(bare)
        });
        if action.is_some() {
            for liberty in liberties {
                marks.record_leniency(liberty);
            }
        }
        action
    }

    /// The text without what the rules let stand around an action.
    fn strip_decorations<'t>(&self, text: &'t str, liberties: &mut Vec<Leniency>) -> &'t str {
        let mut rest = text;
        while let Some((inner, liberty)) = self.strip_one_decoration(rest) {
            if !liberties.contains(&liberty) {
                liberties.push(liberty);
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

    /// The one action of this name in whatever capitals; `None` also when there are two.
    fn match_ignoring_case(&self, name: &str) -> Option<Action> {
        let longest = self.lowercase_names.iter().map(String::len).max().unwrap_or(0);
        // A longer text is none of them, and need not be copied.
        let name = Some(name).filter(|name| self.tolerate.capitals && name.len() <= 4 * longest)?;
        let name = name.to_lowercase();
        let mut meant =
            self.lowercase_names.iter().zip(self.action_space.specs()).filter(|(lower, _)| **lower == name);
        match (meant.next(), meant.next()) {
            (Some((_, verb)), None) => Some(Action::plain(verb.name.clone())),
            _ => None,
        }
    }

    fn no_match_error(&self, rule: &str, member: &Candidate<'_>) -> ParseError {
        let text = member.text.trim();
        if text.is_empty() {
            return ParseError::at(
                rule,
                "nothing stands where an action is wanted".into(),
                member.span.clone(),
            );
        }
        let several =
            text.split([',', '\n']).filter(|part| self.action_space.find(part.trim()).is_some()).count();
        let why = match several {
            0 | 1 => format!("{:?} is no action", excerpt(text)),
            several => format!("{:?} names {several} actions, and one is wanted", excerpt(text)),
        };
        let near =
            nearest_names(excerpt(text), self.action_space.names()).into_iter().map(str::to_owned).collect();
        ParseError { near, ..ParseError::at(rule, why, member.span.clone()) }
    }
}

/// What follows `- `, `* `, `+ `, `1. ` or `1) `.
fn strip_list_marker(text: &str) -> Option<&str> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•'])?,
        digits => text[digits..].strip_prefix(['.', ')'])?,
    };
    rest.strip_prefix([' ', '\t'])
}
