//! A reply in the agent pane: its full text with the parsed analysis and action highlighted, and the verdict of
//! the reader.

use std::ops::Range;

use ratatui::text::{Line, Span};

use super::paragraph::{hanging_indent, titled_rule};
use super::{claims, raw_reply, streaming};
use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_domain::AttemptLimit;
use mageyard_engine::{Attempt, Step};
use mageyard_terminal::{StyleRole, wrap};

/// The replies of a step with their verdicts; each has a rule above it if there are several.
pub(super) fn reply_lines(
    model: &Model,
    viewed: &EpisodeView,
    step: &Step,
    width: u16,
) -> Vec<Line<'static>> {
    if model.agent.raw {
        return raw_reply::lines(model, viewed, step, width);
    }
    let mut lines = Vec::new();
    for (index, attempt) in step.attempts.iter().enumerate() {
        let words = reply_name(viewed.snapshot.head.conduct.attempts, step, index);
        lines.extend((step.attempts.len() > 1).then(|| titled_rule(model, &words, width)));
        lines.extend(streaming::reasoning(model, &attempt.thinking(), width));
        lines.extend(reply_text(model, step, attempt, width));
        lines.push(Line::default());
        lines.extend(edited_notice(model, attempt, width));
        lines.extend(verdict_lines(model, viewed, step, attempt, width));
        lines.extend(claims::lines(model, step, attempt, width));
        lines.extend(streaming::usage_lines(model, &step.agent, attempt, width));
        lines.push(Line::default());
    }
    lines
}

/// Which reply of a step with so many attempts this is. Those before the agent was asked again do not count.
pub(crate) fn reply_name(attempts: AttemptLimit, step: &Step, index: usize) -> String {
    let counted = step.attempts.iter().take(index + 1).filter(|attempt| !attempt.replaced).count();
    match step.attempts.get(index) {
        Some(attempt) if attempt.replaced => format!("reply {}, before the agent was asked again", index + 1),
        _ => format!("reply {counted} of up to {}", attempts.count()),
    }
}

/// The full reply in its own order, with the parsed spans highlighted.
fn reply_text(model: &Model, step: &Step, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut at = 0;
    let reply = attempt.reply.as_ref();
    for (range, gutter, role) in marked_spans(attempt) {
        lines.extend(unmarked_text(model, slice_or_empty(reply, at..range.start), width, !lines.is_empty()));
        let style = model.style(role);
        let text = slice_or_empty(reply, range.clone());
        let wrapped = wrap(text, width, &Span::styled(gutter, style), style);
        let claimed = model.claims_of(step, attempt);
        lines.extend(claims::mark_words(model, claimed, (text, range.start), wrapped));
        at = range.end;
    }
    let more = !lines.is_empty();
    lines.extend(unmarked_text(model, slice_or_empty(reply, at..reply.len()), width, more));
    if lines.is_empty() {
        lines.push(Line::styled(raw_reply::empty_reply_text(attempt), model.style(StyleRole::Dim)));
    }
    lines
}

fn marked_spans(attempt: &Attempt) -> Vec<(Range<usize>, &'static str, StyleRole)> {
    let analysis = attempt.marks.analysis.clone().map(|range| (range, "│ ", StyleRole::Analysis));
    let (sign, role) = match attempt.verdict {
        Some(Err(_)) => ("✗ ", StyleRole::ActionRejected),
        _ if attempt.cancelled => ("✂ ", StyleRole::Dim),
        _ => ("▶ ", StyleRole::Action),
    };
    let action = attempt.marks.action.clone().map(|range| (range, sign, role));
    let all = analysis.into_iter().chain(action);
    all.filter(|(range, ..)| !range.is_empty()).collect()
}

/// A part of the reply; empty when the range does not fit it, as in a damaged recording.
fn slice_or_empty(reply: &str, range: Range<usize>) -> &str {
    reply.get(range).unwrap_or_default()
}

fn unmarked_text(model: &Model, text: &str, width: u16, follows: bool) -> Vec<Line<'static>> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    let mut lines = if follows { vec![Line::default()] } else { Vec::new() };
    lines.extend(wrap(text, width, &Span::raw(""), model.style(StyleRole::Heading)));
    lines
}

/// A notice that a person edited the reply.
fn edited_notice(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let picked = attempt.picked_from.as_ref().map(|from| format!("✎ picked by a person from {from}"));
    let mut lines =
        picked.map_or_else(Vec::new, |words| hanging_indent(model, &words, StyleRole::Warn, width));
    lines.extend(edited_lines(model, attempt, width));
    lines
}

fn edited_lines(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    if !attempt.is_edited() {
        return Vec::new();
    }
    let key = model.key_or_name(CommandId::Raw);
    let words = format!("✎ edited by a person; {key} also shows the agent's own reply");
    hanging_indent(model, &words, StyleRole::Warn, width)
}

fn verdict_lines(
    model: &Model,
    viewed: &EpisodeView,
    step: &Step,
    attempt: &Attempt,
    width: u16,
) -> Vec<Line<'static>> {
    let rules = &viewed.snapshot.head.rules;
    let (words, role) = match &attempt.verdict {
        _ if attempt.cancelled => (raw_reply::cancelled_text(attempt), StyleRole::Warn),
        Some(Err(_)) if attempt.is_unread() => {
            (format!("✗ not parsed: {}", attempt.ending), StyleRole::MarkUnread)
        }
        None => ("… not parsed yet".into(), StyleRole::Dim),
        Some(Ok(_)) => {
            let passed = raw_reply::applied_leniencies(&attempt.marks)
                .map_or(String::new(), |words| format!("; {words}"));
            (format!("✓ parsed by {rules}{passed}"), StyleRole::Ok)
        }
        Some(Err(failure)) => {
            let near = raw_reply::suggested_actions(failure, step)
                .map_or(String::new(), |words| format!("; {words}"));
            let rule = &failure.rule;
            let why = &failure.why;
            (format!("✗ rejected by {rules}: rule {rule}: {why}{near}"), StyleRole::MarkUnread)
        }
    };
    let mut lines = hanging_indent(model, &words, role, width);
    let dropped = raw_reply::dropped_text(attempt);
    lines.extend(
        dropped.iter().flat_map(|words| hanging_indent(model, &format!("∅ {words}"), StyleRole::Warn, width)),
    );
    if attempt.replaced {
        lines.extend(hanging_indent(model, raw_reply::REPLACED, StyleRole::Warn, width));
    }
    let remarks = raw_reply::remarks(attempt);
    lines.extend(remarks.iter().flat_map(|words| hanging_indent(model, words, StyleRole::Warn, width)));
    lines
}
