//! Code blocks as the benchmark's released code reads them, to the letter: with its guesses, and without the characters that
//! it loses.
//!
//! Line breaks in a row are one line break, in code too. Every three backticks separate. For a list (Global) every second
//! piece is a block whose first line must be a label. Otherwise (Online) a block begins where three backticks are followed
//! by a label or by a text whose language can be guessed; other backticks are skipped.

use std::ops::Range;

use super::block_builder::Builder;
use super::labels::exact_param;
use super::released::python_strip;
use super::{BlockRule, BlockSpan, ParseError, Spans};

const FENCE: &str = "```";

/// The labels, in the order in which they are compared.
const LABELS: [&str; 3] = ["html", "javascript", "css"];

/// Reads the blocks in a span of the reply.
pub(super) fn read(
    builder: &mut Builder<'_>,
    body: &Range<usize>,
    spans: &mut Spans,
) -> Result<(), ParseError> {
    if builder.part.format.list {
        return read_labelled(builder, body, spans);
    }
    read_guessed(builder, body, spans);
    Ok(())
}

/// Every second piece: a line with a label, then code. Another line is an error.
fn read_labelled(
    builder: &mut Builder<'_>,
    body: &Range<usize>,
    spans: &mut Spans,
) -> Result<(), ParseError> {
    let reply = builder.part.reply;
    let space = builder.part.action_space;
    let mut at = body.start;
    for (index, piece) in reply[body.clone()].split(FENCE).enumerate() {
        let inner = python_strip(reply, at..at + piece.len());
        let span = at.saturating_sub(FENCE.len())..(at + piece.len() + FENCE.len()).min(body.end);
        at += piece.len() + FENCE.len();
        if index % 2 == 0 {
            continue;
        }
        let (label, code) = first_line(reply, inner);
        let param = exact_param(space, None, &reply[label.clone()]);
        let Some(param) = param.filter(|_| LABELS.contains(&&reply[label.clone()])) else {
            return Err(builder.unknown_label_error(label));
        };
        let text = collapsed(&reply[code.clone()]).map(|(_, c)| c).collect();
        let found = BlockSpan { label, ..BlockSpan::new(BlockRule::Exact, code) };
        builder.push_code(param, &span, found, text, spans);
    }
    Ok(())
}

/// The first line and the rest. Of a single line the released code takes all but the last character as the label and the
/// complete line as the code.
fn first_line(reply: &str, inner: Range<usize>) -> (Range<usize>, Range<usize>) {
    let text = &reply[inner.clone()];
    let Some(line) = text.find('\n') else {
        let last = text.chars().next_back().map_or(0, char::len_utf8);
        return (inner.start..inner.end - last, inner);
    };
    let breaks = text[line..].len() - text[line..].trim_start_matches('\n').len();
    (inner.start..inner.start + line, inner.start + line + breaks..inner.end)
}

/// Blocks from left to right. A block ends at the next backticks or at the end.
fn read_guessed(builder: &mut Builder<'_>, body: &Range<usize>, spans: &mut Spans) {
    let reply = builder.part.reply;
    let space = builder.part.action_space;
    let mut at = body.start;
    while let Some(found) = reply[at..body.end].find(FENCE) {
        let start = at + found;
        let inner = at + found + FENCE.len();
        let end = reply[inner..body.end].find(FENCE).map_or(body.end, |length| inner + length);
        let kind = block_kind(&reply[inner..end]);
        let param = kind.and_then(|(label, rule)| Some((exact_param(space, None, label)?, label, rule)));
        let Some((param, label, rule)) = param else {
            // The released code skips the backticks only, so the next ones may begin a block.
            at = inner;
            continue;
        };
        let mut rest = collapsed(&reply[inner..end]).skip(label.len()).peekable();
        let code = rest.peek().map_or(end, |(first, _)| inner + first)..end;
        let text = rest.map(|(_, c)| c).collect();
        let label = inner..inner + if rule == BlockRule::Prefix { label.len() } else { 0 };
        at = (end + FENCE.len()).min(body.end);
        let found = BlockSpan { label, ..BlockSpan::new(rule, code) };
        builder.push_code(param, &(start..at), found, text, spans);
    }
}

/// The label that a block begins with or, if there is none, the one that is guessed from its text, and the rule that
/// says so.
fn block_kind(text: &str) -> Option<(&'static str, BlockRule)> {
    if let Some(label) = LABELS.into_iter().find(|label| text.starts_with(label)) {
        return Some((label, BlockRule::Prefix));
    }
    let count = |wanted: [char; 2]| collapsed(text).filter(|(_, c)| wanted.contains(c)).count();
    if count(['<', '>']) > collapsed(text).filter(|(_, c)| *c == '\n').count() {
        Some(("html", BlockRule::AngleBrackets))
    } else if [";", "function ", "document.", "const"].iter().any(|word| text.contains(word)) {
        Some(("javascript", BlockRule::Keywords))
    } else if count(['{', '}']) > 1 {
        Some(("css", BlockRule::Braces))
    } else {
        None
    }
}

/// The characters of a text with their places, without line breaks that follow a line break.
fn collapsed(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut after_break = false;
    text.char_indices().filter(move |(_, c)| {
        let repeats = after_break && *c == '\n';
        after_break = *c == '\n';
        !repeats
    })
}
