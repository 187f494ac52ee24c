//! Replies whose parts are in tags, the analysis first.

use std::ops::Range;

use super::{Leniency, ParseError, Spans, excerpt, trimmed_span};
use crate::rules::TagRules;
use mageyard_domain::{Notation, ReplyFormat};

/// The body of the action tag.
pub(super) fn locate_action(
    tag_rules: &TagRules,
    format: &ReplyFormat,
    reply: &str,
    spans: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let mut at = 0;
    if let Some(open) = find_opening_tag(reply, at, &format.analysis, tag_rules.outside) {
        record_outside_text(reply, at..open.start, spans);
        let (inner, end) = tag_body(reply, open, &format.analysis)?;
        spans.analysis = Some(inner);
        at = end;
    }
    let Some(open) = find_opening_tag(reply, at, &format.action, tag_rules.outside) else {
        return Err(missing_tag_error(reply, at, format));
    };
    record_outside_text(reply, at..open.start, spans);
    let (inner, end) = action_body(reply, open, format)?;
    spans.action = Some(inner.clone());
    let rest = trimmed_span(reply, end..reply.len());
    if !rest.is_empty() && !tag_rules.outside {
        let why = format!("unexpected text after </{}>: {:?}", format.action, excerpt(&reply[rest.clone()]));
        return Err(ParseError::at("outside", why, rest));
    }
    record_outside_text(reply, end..reply.len(), spans);
    Ok(inner)
}

/// The next opening tag. Unless `anywhere`, only white space may be before it.
fn find_opening_tag(reply: &str, at: usize, tag: &str, anywhere: bool) -> Option<Range<usize>> {
    let tag = format!("<{tag}>");
    let start = trimmed_span(reply, at..reply.len()).start;
    let start = if anywhere { start + reply[start..].find(&tag)? } else { start };
    reply[start..].starts_with(&tag).then(|| start..start + tag.len())
}

/// The body of the tag, and the end of the closing tag.
fn tag_body(reply: &str, open: Range<usize>, tag: &str) -> Result<(Range<usize>, usize), ParseError> {
    let close = format!("</{tag}>");
    match reply[open.end..].find(&close) {
        Some(length) => {
            let end = open.end + length;
            Ok((trimmed_span(reply, open.end..end), end + close.len()))
        }
        None => Err(ParseError::at("tag", format!("<{tag}> is not closed by {close}"), open)),
    }
}

/// The body of the action tag. Code may contain the closing tag, so around code blocks the last one counts.
fn action_body(
    reply: &str,
    open: Range<usize>,
    format: &ReplyFormat,
) -> Result<(Range<usize>, usize), ParseError> {
    let close = format!("</{}>", format.action);
    let last = reply[open.end..].rfind(&close).filter(|_| format.notation == Notation::CodeBlocks);
    match last.map(|length| open.end + length) {
        Some(end) => Ok((trimmed_span(reply, open.end..end), end + close.len())),
        None => tag_body(reply, open, &format.action),
    }
}

fn missing_tag_error(reply: &str, at: usize, format: &ReplyFormat) -> ParseError {
    let rest = trimmed_span(reply, at..reply.len());
    let place = if at > 0 { format!(" after </{}>", format.analysis) } else { String::new() };
    let expected = format!("expected <{}>{place}", format.action);
    if rest.is_empty() {
        return ParseError::missing("tag", format!("{expected}, found the end of the reply"));
    }
    let found = excerpt(&reply[rest.clone()]);
    ParseError::at("tag", format!("{expected}, found {found:?}"), rest.start..rest.start + found.len())
}

fn record_outside_text(reply: &str, range: Range<usize>, spans: &mut Spans) {
    if !reply[range].trim().is_empty() {
        spans.record_leniency(Leniency::Outside);
    }
}
