//! The part of a reply that the benchmark's released code reads, to the letter.

use std::ops::Range;

use super::{Spans, trimmed_span};
use mageyard_domain::{Notation, ReplyFormat};

/// The text between the first and the second action heading, or the complete reply if it has none. The heading may be
/// anywhere in a line.
pub(super) fn section(format: &ReplyFormat, reply: &str, spans: &mut Spans) -> Range<usize> {
    let heading = &*format.action;
    let mut found = reply.match_indices(heading).map(|(at, _)| at);
    let body = match (found.next(), found.next()) {
        (None, _) => 0..reply.len(),
        (Some(first), second) => {
            spans.analysis = Some(analysis_before(format, reply, first)).filter(|range| !range.is_empty());
            first + heading.len()..second.unwrap_or(reply.len())
        }
    };
    match format.notation {
        Notation::CodeBlocks => body,
        Notation::Call | Notation::Json => python_strip(reply, body),
    }
}

/// What is before the action heading, without the heading of the analysis.
fn analysis_before(format: &ReplyFormat, reply: &str, end: usize) -> Range<usize> {
    let heading = &*format.analysis;
    let start = reply[..end].find(heading).map_or(0, |at| at + heading.len());
    trimmed_span(reply, start..end)
}

/// The range without the characters at both ends that Python's `strip` removes.
pub(super) fn python_strip(reply: &str, range: Range<usize>) -> Range<usize> {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let text = &reply[range.clone()];
    let start = range.start + (text.len() - text.trim_start_matches(is_space).len());
    start..start + text.trim_matches(is_space).len()
}
