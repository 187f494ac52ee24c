//! Where the values of a JSON object are in a reply.

use std::ops::Range;

use serde_json::value::RawValue;

/// The span of a value, which is a part of the reply.
pub(super) fn value_span(reply: &str, value: &RawValue) -> Range<usize> {
    let start = value.get().as_ptr().addr() - reply.as_ptr().addr();
    start..start + value.get().len()
}

/// The span of a value without its quotes or brackets.
pub(super) fn inner_span(reply: &str, value: &RawValue) -> Range<usize> {
    let range = value_span(reply, value);
    let framed = value.get().starts_with(['"', '[', '{']);
    if framed { range.start + 1..range.end - 1 } else { range }
}
