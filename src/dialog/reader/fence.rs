//! Code fences of three backticks around a text.

use std::ops::Range;

use super::{ParseError, trimmed_span};
use crate::rules::BlockRules;

const FENCE: &str = "```";

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

/// A part of a text with code blocks.
pub(super) enum Part {
    /// A line outside the blocks, without surrounding white space.
    Line(Range<usize>),
    Block(Block),
}

/// A code block.
pub(super) struct Block {
    /// What follows the opening fence: the first word or, if there is none, the line before the block. In rules that
    /// accept no other labels, the rest of the line. May be empty.
    pub(super) label: Range<usize>,
    /// The text between the fences, without the last line break.
    pub(super) code: Range<usize>,
    /// The complete block with its fences.
    pub(super) span: Range<usize>,
    /// Whether it ends with a closing fence.
    pub(super) is_closed: bool,
}

/// An open fence: its sign, its length, the block so far, and whether its lines end with `\r\n`.
struct Open {
    sign: char,
    length: usize,
    block: Block,
    crlf: bool,
}

/// The lines and the code blocks of a span, in order. As in Markdown, a block ends with a fence of the same sign that is
/// at least as long as the opening one; a block that is not closed ends with the span.
pub(super) fn split_blocks(rules: &BlockRules, reply: &str, body: &Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = body.start;
    let mut open = None::<Open>;
    // The last line outside the blocks, for a block without a label.
    let mut title = body.start..body.start;
    for line in reply[body.clone()].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let fence = fence_line(rules, reply, &range);
        match (&mut open, opening_fence(rules, &reply[fence.clone()])) {
            (Some(current), _) if closes(rules, &reply[fence.clone()], current) => {
                current.block.is_closed = true;
                current.block.span.end = fence.end;
                parts.extend(open.take().map(|open| Part::Block(open.block)));
            }
            (Some(current), _) => {
                let line_break = if current.crlf && line.ends_with("\r\n") { 2 } else { 1 };
                let end = range.end - if line.ends_with('\n') { line_break } else { 0 };
                current.block.code.end = end;
                current.block.span.end = end;
            }
            (None, Some((sign, length))) => {
                let block = open_block(rules, reply, range, &fence, length, &title);
                open = Some(Open { sign, length, block, crlf: rules.fences && line.ends_with("\r\n") });
                title = at..at;
            }
            (None, None) => {
                let trimmed = trimmed_span(reply, range);
                if !trimmed.is_empty() {
                    title = trimmed.clone();
                    parts.push(Part::Line(trimmed));
                }
            }
        }
    }
    parts.extend(open.map(|open| Part::Block(open.block)));
    parts
}

/// The part of a line that may be a fence: the line without white space around it, or without its line break.
fn fence_line(rules: &BlockRules, reply: &str, line: &Range<usize>) -> Range<usize> {
    if rules.fences {
        return trimmed_span(reply, line.clone());
    }
    line.start..line.end - usize::from(reply[line.clone()].ends_with('\n'))
}

/// A block that begins with this line.
fn open_block(
    rules: &BlockRules,
    reply: &str,
    line: Range<usize>,
    fence: &Range<usize>,
    length: usize,
    title: &Range<usize>,
) -> Block {
    let rest = fence.start + length..fence.end;
    let info = trimmed_span(reply, rest.clone());
    let word = reply[info.clone()].split_whitespace().next().map_or(0, str::len);
    let label = match word {
        _ if !rules.labels => rest,
        0 => title.clone(),
        word => info.start..info.start + word,
    };
    Block { label, code: line.end..line.end, span: fence.start..line.end, is_closed: false }
}

/// The sign and the length of the fence that begins a line; `None` if the line begins with none.
fn opening_fence(rules: &BlockRules, line: &str) -> Option<(char, usize)> {
    let sign = line.chars().next().filter(|sign| *sign == '`' || rules.fences && *sign == '~')?;
    let length = line.len() - line.trim_start_matches(sign).len();
    let is_inline = sign == '`' && line[length..].contains('`');
    let is_fence = if rules.fences { length >= FENCE.len() } else { length == FENCE.len() };
    (is_fence && !is_inline).then_some((sign, length))
}

/// Whether the line closes the block. Where only exact fences open blocks, only these close them.
fn closes(rules: &BlockRules, line: &str, open: &Open) -> bool {
    let is_long = if rules.fences { line.len() >= open.length } else { line.len() == open.length };
    is_long && line.chars().all(|c| c == open.sign)
}
