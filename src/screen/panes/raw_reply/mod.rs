//! The raw view of a reply: its text unchanged, thoughts included, with what each span was parsed as in the margin, and
//! above it the rule, the position and the nearest actions of an error.

mod findings;
mod spans;
#[cfg(test)]
mod tests;

use ratatui::text::{Line, Span};

pub(crate) use self::findings::findings;
pub(super) use self::findings::{
    REPLACED, applied_leniencies, cancelled_text, dropped_text, remarks, suggested_actions,
};
use self::spans::{SpanKind, split_spans};
use super::paragraph::{hanging_indent, titled_rule};
use crate::model::{EpisodeView, Model};
use mageyard_domain::Thought;
use mageyard_engine::{Attempt, Step};
use mageyard_terminal::{StyleRole, count_of, wrap};

/// Columns of the labels in the margin.
const LABEL_WIDTH: usize = 8;

/// The selected reply in the raw view.
pub(super) fn lines(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    let count = step.attempts.len();
    let at = model.agent.shown_reply.unwrap_or(usize::MAX).min(count.saturating_sub(1));
    let Some(attempt) = step.attempts.get(at) else { return Vec::new() };
    let edited = if attempt.is_edited() { ", ✎ edited" } else { "" };
    let words = format!("raw reply {} of {count}, {}{edited}", at + 1, amount(attempt));
    let mut lines = annotated_reply(model, viewed, step, attempt, &words, width);
    if attempt.is_edited() {
        let words = format!("the agent's own reply, {}", amount(attempt.original()));
        lines.push(Line::default());
        lines.extend(annotated_reply(model, viewed, step, attempt.original(), &words, width));
    }
    lines
}

/// The size of the text that is parsed, and the number of thoughts.
fn amount(attempt: &Attempt) -> String {
    let bytes = count_of(attempt.reply.len(), "byte");
    match attempt.thoughts.len() {
        0 => bytes,
        thoughts => format!("{bytes}, {}", count_of(thoughts, "thought")),
    }
}

/// The findings of the reader, and below them the reply.
fn annotated_reply(
    model: &Model,
    viewed: &EpisodeView,
    step: &Step,
    attempt: &Attempt,
    title: &str,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = vec![titled_rule(model, title, width)];
    let findings = findings(viewed, step, attempt);
    lines.extend(findings.iter().flat_map(|(words, role)| hanging_indent(model, words, *role, width)));
    lines.push(Line::default());
    lines.extend(attempt_lines(model, attempt, width));
    lines
}

/// The text of a reply, with what each part was read as in the margin.
pub(crate) fn attempt_lines(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let reply = &*attempt.reply;
    if reply.is_empty() && attempt.thoughts.is_empty() {
        return vec![Line::styled(empty_reply_text(attempt), model.style(StyleRole::Dim))];
    }
    let mut lines = Vec::new();
    let mut thoughts = attempt.thoughts.iter().peekable();
    for (part, range) in split_spans(attempt) {
        while let Some(thought) = thoughts.next_if(|thought| thought.at <= range.start) {
            lines.extend(thought_lines(model, thought, width));
        }
        let continues = !reply[..range.start].ends_with('\n') && range.start > 0;
        // Spaces before the next span would look like a line of their own.
        let text = reply[range].trim_end_matches([' ', '\t']);
        let text = text.strip_suffix('\n').unwrap_or(text);
        if continues && text.is_empty() {
            continue;
        }
        // The line break was already drawn.
        let text = if continues { text.strip_prefix('\n').unwrap_or(text) } else { text };
        let label = part.label(matches!(attempt.verdict, Some(Err(_))));
        lines.extend(span_lines(model, part, label, text, continues, width));
    }
    lines.extend(thoughts.flat_map(|thought| thought_lines(model, thought, width)));
    lines
}

/// A thought with its delimiters.
fn thought_lines(model: &Model, thought: &Thought, width: u16) -> Vec<Line<'static>> {
    let text = [thought.open.as_str(), &thought.text, &thought.close].concat();
    let label = SpanKind::Thought.label(false);
    span_lines(model, SpanKind::Thought, label, text.trim_end(), false, width)
}

/// A span with its label at the first line; the bar is dotted where the span continues a line of the reply.
fn span_lines(
    model: &Model,
    part: SpanKind,
    (word, role): (&str, StyleRole),
    text: &str,
    continues: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let style = model.style(role);
    let mut lines = wrap(text, width, &Span::styled(format!("{:LABEL_WIDTH$} │ ", ""), style), style);
    if let Some(first) = lines.first_mut() {
        let bar = if continues && part != SpanKind::Unmarked { '┊' } else { '│' };
        first.spans[0] = Span::styled(format!("{word:>LABEL_WIDTH$} {bar} "), style);
    }
    lines
}

/// The placeholder for a reply without text.
pub(super) fn empty_reply_text(attempt: &Attempt) -> &'static str {
    if attempt.cancelled { "(no text received)" } else { "(empty reply)" }
}
