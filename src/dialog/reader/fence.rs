//! Code fences of three backticks around a text.

use std::ops::Range;

use super::{ParseError, trimmed_span};

pub(super) const FENCE: &str = "```";

/// The body of the fence that begins a span; `None` if the span does not begin with a fence. A word after the opening
/// fence is part of the fence. A fence that is not closed at the end of the span is an error.
pub(super) fn fenced_body(reply: &str, range: &Range<usize>) -> Result<Option<Range<usize>>, ParseError> {
    let Some(rest) = reply[range.clone()].strip_prefix(FENCE) else { return Ok(None) };
    let Some(body) = rest.strip_suffix(FENCE) else {
        let why = "the code fence ``` is not closed at the end".to_owned();
        return Err(ParseError::at("fence", why, range.start..range.start + FENCE.len()));
    };
    let start = range.start + FENCE.len();
    let word = body.find('\n').map_or(0, |end| end + 1);
    Ok(Some(trimmed_span(reply, start + word..start + body.len())))
}

/// The span without the single fence around it, or the span itself.
pub(super) fn unwrap_fence(reply: &str, range: Range<usize>) -> Range<usize> {
    match fenced_body(reply, &range) {
        Ok(Some(inner)) if !reply[inner.clone()].contains(FENCE) => inner,
        _ => range,
    }
}
