//! Replies whose parts have headings.

use std::ops::Range;

use super::{Leniency, ParseError, Spans, fence, strip_word, trimmed_span};
use crate::rules::{HeadingRules, ReaderRules};
use mageyard_domain::{Notation, ReplyFormat};

/// The signs that are a colon, also the full-width one.
const COLONS: [char; 2] = [':', '：'];

/// The signs of bold text.
const BOLD: [&str; 2] = ["**", "__"];

/// A heading in the reply, and whether it matches exactly.
struct Heading {
    span: Range<usize>,
    exact: bool,
}

/// The text below the action heading.
pub(super) fn locate_action(
    rules: &ReaderRules,
    heading_rules: &HeadingRules,
    format: &ReplyFormat,
    reply: &str,
    spans: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let trimmed = trimmed_span(reply, 0..reply.len());
    // A fence around the whole reply is the action where actions are blocks of code.
    let is_around = rules.tolerate.fence && format.notation != Notation::CodeBlocks;
    let inner = if is_around { fence::unwrap_fence(reply, trimmed.clone()) } else { trimmed.clone() };
    if inner != trimmed {
        spans.record_leniency(Leniency::Fence);
    }
    let text = if inner == trimmed { 0..reply.len() } else { inner };
    let action = find_heading(reply, &text, &format.action, heading_rules, HeadingKind::Action);
    let end = action.as_ref().map_or(text.end, |heading| heading.span.start);
    let analysis = find_heading(reply, &text, &format.analysis, heading_rules, HeadingKind::Analysis)
        .filter(|heading| heading.span.end <= end);
    spans.analysis = analysis.as_ref().map(|heading| trimmed_span(reply, heading.span.end..end));
    let Some(action) = action else {
        return Err(missing_heading(reply, &text, &format.action));
    };
    if !action.exact || analysis.is_some_and(|heading| !heading.exact) {
        spans.record_leniency(Leniency::Heading);
    }
    Ok(trimmed_span(reply, action.span.end..text.end))
}

/// The error for a reply without the action heading.
fn missing_heading(reply: &str, text: &Range<usize>, heading: &str) -> ParseError {
    let mut start = text.start;
    for line in reply[text.clone()].split_inclusive('\n') {
        if has_colon(line, heading) {
            let why = format!("a colon follows {heading:?}, which must be exactly the heading");
            let colon = line[heading.len()..].chars().next().map_or(0, char::len_utf8);
            return ParseError::at("heading", why, start..start + heading.len() + colon);
        }
        start += line.len();
    }
    ParseError::missing("heading", format!("no line of the reply begins with {heading:?}"))
}

/// Whether the line begins with the heading and a colon that is not part of it. The colon would become a part of the first
/// action, which would be lost.
fn has_colon(line: &str, heading: &str) -> bool {
    line.strip_prefix(heading).is_some_and(|rest| rest.starts_with(COLONS))
}

/// Which part a heading begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadingKind {
    Analysis,
    Action,
}

/// The first line that begins with the heading or, of the action heading if the rules say so, the last one. An exact heading
/// has priority over a decorated one.
fn find_heading(
    reply: &str,
    text: &Range<usize>,
    heading: &str,
    heading_rules: &HeadingRules,
    kind: HeadingKind,
) -> Option<Heading> {
    let is_action = kind == HeadingKind::Action;
    let last = is_action && heading_rules.last;
    let mut exact = None;
    let mut decorated = None;
    let mut start = text.start;
    for line in reply[text.clone()].split_inclusive('\n') {
        let is_exact = line.starts_with(heading) && !(is_action && has_colon(line, heading));
        let length =
            if is_exact { Some(heading.len()) } else { decorated_heading_len(line, heading, heading_rules) };
        let slot = if is_exact { &mut exact } else { &mut decorated };
        if let Some(length) = length.filter(|_| last || slot.is_none()) {
            *slot = Some(Heading { span: start..start + length, exact: is_exact });
        }
        start += line.len();
    }
    exact.or(decorated)
}

/// The length in bytes of a decorated heading at the start of the line, or `None`.
fn decorated_heading_len(line: &str, heading: &str, heading_rules: &HeadingRules) -> Option<usize> {
    if !(heading_rules.any_level || heading_rules.bold || heading_rules.capitals) {
        return None;
    }
    let word = heading.trim_start_matches('#').trim_matches([' ', ':']);
    let own = heading_level(heading);
    let rest = line.trim_start_matches([' ', '\t']);
    let found = heading_level(rest);
    let rest = rest[found..].trim_start_matches([' ', '\t']);
    let bold = BOLD.into_iter().find(|signs| heading_rules.bold && rest.starts_with(signs));
    let rest = bold.map_or(rest, |signs| rest[signs.len()..].trim_start_matches(' '));
    let marked =
        found == own || heading_rules.any_level && (1..=6).contains(&found) || bold.is_some() && found == 0;
    let rest = strip_word(rest, word, heading_rules.capitals).filter(|_| marked)?;
    let (closed, rest) = strip_closing_marks(rest, bold);
    (closed || rest.trim().is_empty()).then(|| line.len() - rest.len())
}

fn heading_level(line: &str) -> usize {
    line.len() - line.trim_start_matches('#').len()
}

/// The text after the signs that close bold text and the colon of a heading, and whether there was either.
fn strip_closing_marks<'t>(text: &'t str, bold: Option<&str>) -> (bool, &'t str) {
    let closing = |text: &'t str| bold.and_then(|signs| text.strip_prefix(signs));
    let after_bold = closing(text);
    let rest = after_bold.unwrap_or(text);
    let rest = rest.trim_start_matches(' ').strip_prefix(COLONS).unwrap_or(rest);
    let rest = Some(()).filter(|()| after_bold.is_none()).and_then(|()| closing(rest)).unwrap_or(rest);
    (rest.len() < text.len(), rest)
}
