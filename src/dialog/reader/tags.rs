//! A reply whose parts stand in tags, the analysis first.

use std::ops::Range;

use super::Leniency;
use super::ParseError;
use super::Spans;
use super::excerpt;
use super::trimmed_span;
use crate::dialog::rules::TagRules;
use crate::domain::ReplyFormat;

/// What stands in the action's tag.
pub(super) fn locate_action(
    ways: &TagRules,
    form: &ReplyFormat,
    reply: &str,
    marks: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let mut at = 0;
    if let Some(open) = find_opening_tag(reply, at, &form.analysis, ways.outside) {
        record_outside_text(reply, at..open.start, marks);
        let (inner, end) = tag_body(reply, open, &form.analysis)?;
        marks.analysis = Some(inner);
        at = end;
    }
    let Some(open) = find_opening_tag(reply, at, &form.action, ways.outside) else {
        return Err(missing_tag_error(reply, at, form));
    };
    record_outside_text(reply, at..open.start, marks);
    let (inner, end) = tag_body(reply, open, &form.action)?;
    marks.action = Some(inner.clone());
    let rest = trimmed_span(reply, end..reply.len());
    if !rest.is_empty() && !ways.outside {
        let why = format!("text follows </{}>: {:?}", form.action, excerpt(&reply[rest.clone()]));
        return Err(ParseError::at("outside", why, rest));
    }
    record_outside_text(reply, end..reply.len(), marks);
    Ok(inner)
}

/// The opening tag: the next thing there is, or anywhere behind where text may stand outside.
fn find_opening_tag(reply: &str, at: usize, tag: &str, anywhere: bool) -> Option<Range<usize>> {
    let tag = format!("<{tag}>");
    let start = trimmed_span(reply, at..reply.len()).start;
    let start = if anywhere { start + reply[start..].find(&tag)? } else { start };
    reply[start..].starts_with(&tag).then(|| start..start + tag.len())
}

/// What stands between this opening tag and the next closing one, and where that ends.
fn tag_body(reply: &str, open: Range<usize>, tag: &str) -> Result<(Range<usize>, usize), ParseError> {
    let close = format!("</{tag}>");
    match reply[open.end..].find(&close) {
        Some(length) => {
            let end = open.end + length;
            Ok((trimmed_span(reply, open.end..end), end + close.len()))
        }
        None => Err(ParseError::at("tag", format!("<{tag}> is never closed by {close}"), open)),
    }
}

fn missing_tag_error(reply: &str, at: usize, form: &ReplyFormat) -> ParseError {
    let rest = trimmed_span(reply, at..reply.len());
    let place = if at > 0 { format!(" after </{}>", form.analysis) } else { String::new() };
    let wanted = format!("<{}> is wanted{place}", form.action);
    if rest.is_empty() {
        return ParseError::missing("tag", format!("{wanted}, and nothing comes"));
    }
    let found = excerpt(&reply[rest.clone()]);
    ParseError::at("tag", format!("{wanted}, not {found:?}"), rest.start..rest.start + found.len())
}

fn record_outside_text(reply: &str, range: Range<usize>, marks: &mut Spans) {
    if !reply[range].trim().is_empty() {
        marks.record_leniency(Leniency::Outside);
    }
}
