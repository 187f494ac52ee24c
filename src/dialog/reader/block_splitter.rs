//! Splits a text into code blocks and the lines between them.
//!
//! As in Markdown, a block ends with a fence of the same sign that is at least as long as the opening one; a block that is
//! not closed ends with the text. Where other fences are accepted there are three more rules, so that no file is cut or lost:
//! a fence within an open element, bracket or comment does not end the file if a later one ends it completely; a fence
//! with a known label ends a file that has no closing fence; and a fence around several blocks is not a block.

use std::ops::Range;

use super::balance::Balance;
use super::fence::FENCE;
use super::trimmed_span;
use crate::rules::BlockRules;

/// How often the text after a fence is examined for a better end of the file.
const MAX_LOOKS: usize = 20;

/// Labels of a fence around several blocks. Of one without a label the text must be Markdown.
const OUTER_LABELS: [&str; 2] = ["markdown", "md"];

/// A part of a text with code blocks.
pub(super) enum Part {
    /// A line outside the blocks, without surrounding white space.
    Line(Range<usize>),
    Block(Block),
    /// A fence that is no part of a block, or that does not end one where Markdown does.
    OtherFence,
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

/// An open fence: its sign and length, the block so far, and whether its lines end with `\r\n`.
struct Open {
    fence: (char, usize),
    block: Block,
    crlf: bool,
    balance: Balance,
    /// The line with the closing fence, if it is not the first one that Markdown accepts.
    end: Option<usize>,
}

/// The lines and the code blocks of a span, in order. `is_label` tells the labels of files.
pub(super) fn split_blocks(
    rules: &BlockRules,
    reply: &str,
    body: &Range<usize>,
    is_label: impl Fn(&str) -> bool,
) -> Vec<Part> {
    let mut at = body.start;
    let lines = reply[body.clone()].split_inclusive('\n').map(|line| {
        at += line.len();
        at - line.len()..at
    });
    let lines = lines.collect();
    let title = body.start..body.start;
    let mut splitter = Splitter { rules, reply, is_label, lines, title, outer: Vec::new(), looks: 0 };
    splitter.split()
}

struct Splitter<'a, F> {
    rules: &'a BlockRules,
    reply: &'a str,
    is_label: F,
    lines: Vec<Range<usize>>,
    /// The last line outside the blocks, for a block without a label.
    title: Range<usize>,
    /// The open fences around several blocks.
    outer: Vec<(char, usize)>,
    looks: usize,
}

impl<F: Fn(&str) -> bool> Splitter<'_, F> {
    fn split(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut open = None::<Open>;
        for index in 0..self.lines.len() {
            let Some(mut current) = open.take() else {
                open = self.begin(index, &mut parts);
                continue;
            };
            let fence = self.fence(index);
            if self.ends(index, &mut current, &mut parts) {
                current.block.is_closed = true;
                current.block.span.end = fence.end;
                parts.push(Part::Block(current.block));
            } else if self.begins_another(index, &current) {
                parts.extend([Part::Block(current.block), Part::OtherFence]);
                open = self.begin(index, &mut parts);
            } else {
                self.add_line(index, &mut current);
                open = Some(current);
            }
        }
        parts.extend(open.map(|open| self.unclosed(open.block)));
        parts
    }

    fn text(&self, index: usize) -> &str {
        &self.reply[self.lines[index].clone()]
    }

    fn fence(&self, index: usize) -> Range<usize> {
        fence_line(self.rules, self.reply, &self.lines[index])
    }

    /// Adds a line outside the blocks, or begins one.
    fn begin(&mut self, index: usize, parts: &mut Vec<Part>) -> Option<Open> {
        let line = self.lines[index].clone();
        let fence = self.fence(index);
        let text = &self.reply[fence.clone()];
        let has_title = (self.is_label)(&self.reply[self.title.clone()]);
        if !has_title && self.outer.last().is_some_and(|outer| closes(self.rules, text, *outer)) {
            self.outer.pop();
            return None;
        }
        let Some((sign, length)) = opening_fence(self.rules, text) else {
            let trimmed = trimmed_span(self.reply, line);
            if !trimmed.is_empty() {
                self.title = trimmed.clone();
                parts.push(Part::Line(trimmed));
            }
            return None;
        };
        if self.is_outer(index, &text[length..]) {
            self.outer.push((sign, length));
            parts.push(Part::OtherFence);
            return None;
        }
        let block = open_block(self.rules, self.reply, &line, &fence, length, &self.title);
        self.title = line.end..line.end;
        let crlf = self.rules.fences && self.reply[line].ends_with("\r\n");
        Some(Open { fence: (sign, length), block, crlf, balance: Balance::default(), end: None })
    }

    fn add_line(&self, index: usize, open: &mut Open) {
        let line = self.text(index);
        open.balance.push(line);
        let line_break = if open.crlf && line.ends_with("\r\n") { 2 } else { 1 };
        let end = self.lines[index].end - if line.ends_with('\n') { line_break } else { 0 };
        open.block.code.end = end;
        open.block.span.end = end;
    }

    /// Whether the open block ends with this line.
    fn ends(&mut self, index: usize, open: &mut Open, parts: &mut Vec<Part>) -> bool {
        if !closes(self.rules, &self.reply[self.fence(index)], open.fence) {
            return false;
        }
        if let Some(end) = open.end {
            return index >= end;
        }
        open.end = self.later_end(index, open);
        if open.end.is_some() {
            parts.push(Part::OtherFence);
        }
        open.end.is_none()
    }

    /// A later fence, before the next file, that ends this one completely, if the fence on this line does not.
    fn later_end(&mut self, index: usize, open: &Open) -> Option<usize> {
        let is_next = |line: &usize| !self.text(*line).trim().is_empty();
        let next = (index + 1..self.lines.len()).find(is_next)?;
        let goes_on = self.rules.fences && open.balance.is_open() && self.label(next).is_none();
        if !goes_on || self.looks == MAX_LOOKS {
            return None;
        }
        self.looks += 1;
        let mut balance = open.balance.clone();
        let mut before_next = (index..self.lines.len()).take_while(|line| self.label(*line).is_none());
        before_next.find(|line| {
            let is_end = closes(self.rules, &self.reply[self.fence(*line)], open.fence);
            // The backticks of a fence come in pairs, and are no part of a template.
            if !is_end {
                balance.push(self.text(*line));
            }
            is_end && !balance.is_open()
        })
    }

    /// Whether this line begins another file with the same fence, so that the open one has no closing fence.
    fn begins_another(&self, index: usize, open: &Open) -> bool {
        let block = &open.block;
        let is_file = (self.is_label)(&self.reply[block.label.clone()]);
        let has_code = !self.reply[block.code.clone()].trim().is_empty();
        let is_same = opening_fence(self.rules, &self.reply[self.fence(index)]) == Some(open.fence);
        let may_end =
            self.rules.fences && is_file && has_code && open.end.is_none() && !open.balance.is_open();
        may_end && is_same && self.label(index).is_some()
    }

    /// The label of a file that this line begins.
    fn label(&self, index: usize) -> Option<&str> {
        let text = &self.reply[self.fence(index)];
        let (_, length) = opening_fence(self.rules, text)?;
        let label = text[length..].split_whitespace().next()?;
        (self.is_label)(label).then_some(label)
    }

    /// Whether a fence with this label is around several blocks: the next fence begins a file.
    fn is_outer(&self, index: usize, label: &str) -> bool {
        let label = label.trim();
        let is_markdown = OUTER_LABELS.iter().any(|outer| label.eq_ignore_ascii_case(outer));
        if !self.rules.fences || !(is_markdown || label.is_empty()) {
            return false;
        }
        let mut rest = (index + 1..self.lines.len()).filter(|line| !self.text(*line).trim().is_empty());
        let first = rest.next();
        let is_text = |line: usize| self.text(line).starts_with(['#', '*']) || self.label(line).is_some();
        if !is_markdown && !first.is_some_and(is_text) {
            return false;
        }
        let is_fence = |line: &usize| opening_fence(self.rules, &self.reply[self.fence(*line)]).is_some();
        first.into_iter().chain(rest).find(is_fence).is_some_and(|line| self.label(line).is_some())
    }

    /// The last block, which has no closing fence. One without a label and without code is a fence that is left over.
    fn unclosed(&self, block: Block) -> Part {
        let is_left_over = self.rules.fences
            && self.reply[block.span.start..block.code.start].trim().chars().all(|c| c == '`' || c == '~')
            && self.reply[block.code.clone()].trim().is_empty();
        if is_left_over { Part::OtherFence } else { Part::Block(block) }
    }
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
    line: &Range<usize>,
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
fn closes(rules: &BlockRules, line: &str, (sign, length): (char, usize)) -> bool {
    let is_long = if rules.fences { line.len() >= length } else { line.len() == length };
    is_long && line.chars().all(|c| c == sign)
}
