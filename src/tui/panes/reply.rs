//! A reply as it was said: the text whole, the stretches that the reader took set apart, the verdict.

use std::ops::Range;

use ratatui::text::Line;
use ratatui::text::Span;

use super::heard;
use super::margin::hanging;
use super::margin::rule;
use super::microscope;
use crate::engine::ATTEMPTS;
use crate::engine::Attempt;
use crate::engine::Step;
use crate::tui::command::Deed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// The replies of a step with their verdicts, a rule before each as soon as there are several.
pub(super) fn replies(model: &Model, viewed: &Viewed, step: &Step, width: u16) -> Vec<Line<'static>> {
    if model.raw {
        return microscope::lines(model, viewed, step, width);
    }
    let mut lines = Vec::new();
    for (index, attempt) in step.attempts.iter().enumerate() {
        let words = format!("reply {} of at most {ATTEMPTS}", index + 1);
        lines.extend((step.attempts.len() > 1).then(|| rule(model, &words, width)));
        lines.extend(heard::reasoning(model, attempt.reasoning.as_deref().unwrap_or_default(), width));
        lines.extend(said(model, attempt, width));
        lines.push(Line::default());
        lines.extend(edited(model, attempt, width));
        lines.extend(verdict(model, viewed, step, attempt, width));
        lines.extend(heard::cost(model, viewed, attempt));
        lines.push(Line::default());
    }
    lines
}

/// The reply whole, in the order it came, with the marked stretches set apart.
fn said(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut at = 0;
    let reply = attempt.reply.as_ref();
    for (range, gutter, role) in stretches(attempt) {
        lines.extend(plain(model, part(reply, at..range.start), width, !lines.is_empty()));
        let style = model.style(role);
        lines.extend(wrap(part(reply, range.clone()), width, &Span::styled(gutter, style), style));
        at = range.end;
    }
    let more = !lines.is_empty();
    lines.extend(plain(model, part(reply, at..reply.len()), width, more));
    if lines.is_empty() {
        lines.push(Line::styled(microscope::empty(attempt), model.style(Role::Dim)));
    }
    lines
}

fn stretches(attempt: &Attempt) -> Vec<(Range<usize>, &'static str, Role)> {
    let analysis = attempt.marks.analysis.clone().map(|range| (range, "│ ", Role::Analysis));
    let action = attempt.marks.action.clone().map(|range| (range, "▶ ", Role::Action));
    let all = analysis.into_iter().chain(action);
    all.filter(|(range, ..)| !range.is_empty()).collect()
}

/// A stretch of the reply; empty when the marks do not fit it, as in a damaged recording.
fn part(reply: &str, range: Range<usize>) -> &str {
    reply.get(range).unwrap_or_default()
}

fn plain(model: &Model, text: &str, width: u16, follows: bool) -> Vec<Line<'static>> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    let mut lines = if follows { vec![Line::default()] } else { Vec::new() };
    lines.extend(wrap(text, width, &Span::raw(""), model.style(Role::Heading)));
    lines
}

/// That these are not the agent's words.
fn edited(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    if !attempt.is_edited() {
        return Vec::new();
    }
    let key = model.look.keys.keys(Deed::Raw).into_iter().next().unwrap_or_else(|| ":raw".into());
    let words = format!("✎ edited by a person; {key} in this pane shows the agent's own words too");
    hanging(model, &words, Role::Warn, width)
}

fn verdict(model: &Model, viewed: &Viewed, step: &Step, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let rules = &viewed.snapshot.head.rules;
    let (words, role) = match &attempt.verdict {
        _ if attempt.cut => ("✂ cut short; it does not count".into(), Role::Warn),
        None => ("… still to be read".into(), Role::Dim),
        Some(Ok(_)) => {
            let passed =
                microscope::liberties(&attempt.marks).map_or(String::new(), |words| format!("; {words}"));
            (format!("✓ read by {rules}{passed}"), Role::Ok)
        }
        Some(Err(failure)) => {
            let near =
                microscope::ways_out(failure, step).map_or(String::new(), |words| format!("; {words}"));
            let (rule, why) = (&failure.rule, &failure.why);
            (format!("✗ not read by {rules}: rule {rule}: {why}{near}"), Role::MarkUnread)
        }
    };
    hanging(model, &words, role, width)
}
