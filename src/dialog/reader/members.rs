//! Splits the action part of a reply into the texts that should each name an action.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{ActionPart, Candidate, Leniency, ParseError, Spans, fence, trimmed_span};
use mageyard_domain::split_list;

/// What ends a member of a list, where common forms of lists are accepted.
const MEMBER_ENDS: [char; 5] = [',', '，', '、', ';', '；'];

/// The candidates in a span of the reply: the span itself or, for a list, its members.
pub(super) fn split_candidates<'a>(
    part: &ActionPart<'a>,
    body: Range<usize>,
    spans: &mut Spans,
) -> Result<Vec<Candidate<'a>>, ParseError> {
    let tolerate = &part.rules.tolerate;
    let reply = part.reply;
    let inner = if tolerate.fence { fence::fenced_body(reply, &body)? } else { None };
    if inner.is_some() {
        spans.record_leniency(Leniency::Fence);
    }
    let body = inner.unwrap_or(body);
    spans.action = Some(body.clone());
    let candidate = |at: Range<usize>| Candidate::written(&reply[at.clone()], at);
    if !part.format.list {
        return Ok(vec![candidate(body)]);
    }
    let members = if tolerate.lists && !part.action_space.has_params() {
        split_plain(&reply[body.clone()], tolerate.lines)
    } else {
        split_members(&reply[body.clone()], tolerate.lines, part.action_space.has_params())
    };
    let at = |member: Range<usize>| trimmed_span(reply, body.start + member.start..body.start + member.end);
    let mut candidates: Vec<_> = members.into_iter().map(|member| candidate(at(member))).collect();
    let by_lines = tolerate.lines && candidates.len() > 1 && reply[body].contains('\n');
    if by_lines {
        spans.record_leniency(Leniency::Lines);
        candidates.retain(|candidate| !candidate.text.is_empty());
    }
    Ok(candidates)
}

/// The members of a list, separated by commas and, if these are accepted, by line breaks.
pub(super) fn split_members(text: &str, lines: bool, calls: bool) -> Vec<Range<usize>> {
    split_list(text, if lines { &[',', '\n'] } else { &[','] }, calls)
}

/// The members of a list, separated also by semicolons and full-width signs, but not within parentheses that are closed in
/// their line.
fn split_plain(text: &str, lines: bool) -> Vec<Range<usize>> {
    let closed = closed_parentheses(text);
    let mut members = Vec::new();
    let mut start = 0;
    let mut inside = 0;
    for (at, sign) in text.char_indices() {
        if let Some(end) = closed.get(&at) {
            inside = inside.max(*end);
        }
        if at >= inside && (MEMBER_ENDS.contains(&sign) || lines && sign == '\n') {
            members.push(start..at);
            start = at + sign.len_utf8();
        }
    }
    members.push(start..text.len());
    members
}

/// Where each parenthesis that is closed in its line is closed.
fn closed_parentheses(text: &str) -> BTreeMap<usize, usize> {
    let mut closed = BTreeMap::new();
    let mut open = Vec::new();
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '（' => open.push(at),
            ')' | '）' => closed.extend(open.pop().map(|start| (start, at))),
            '\n' => open.clear(),
            _ => {}
        }
    }
    closed
}
