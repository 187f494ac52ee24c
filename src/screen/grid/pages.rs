//! What is shown over the whole dialog: a reply, all figures, a request, the difference of two, and the stored asks.

use ratatui::text::{Line, Span};

use super::cells::{answer_words, signs, variant_style};
use super::head::{sentence, state};
use super::shares::bar_text;
use super::sheet::{AskGrid, Page};
use crate::empty::{self, Empty};
use crate::modals::stored_ask_line;
use crate::model::Model;
use mageyard_domain::{Rating, SequenceChange, sanitize, sequence_changes};
use mageyard_study::{AnswerBar, Sample, StudyRow};
use mageyard_terminal::{StyleRole, truncate, wrap};

/// The columns of the name of an answer, and of its bar.
const ANSWER: u16 = 16;
const BAR: u16 = 20;
/// The equal lines that are shown around a change.
const AROUND: usize = 2;

/// The lines of the page that is shown; of the grid those of all figures.
pub(super) fn lines(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    match grid.page {
        Page::Grid | Page::Figures | Page::Replies => figures(model, grid, width),
        Page::Reply => reply(model, grid, width),
        Page::Request => request(model, grid, width),
        Page::Difference => difference(model, grid, width),
        Page::Stored => stored(model, grid, width),
    }
}

/// The lines of the page as text, at any length.
pub(super) fn text(model: &Model, grid: &AskGrid) -> Vec<String> {
    plain(&lines(model, grid, u16::MAX))
}

fn plain(lines: &[Line<'_>]) -> Vec<String> {
    lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect()
}

fn wrapped(model: &Model, text: &str, width: u16, role: StyleRole) -> Vec<Line<'static>> {
    wrap(text, width, &Span::raw(""), model.style(role))
}

/// All figures: how far it is, the variants, the comparisons, the notes, what was asked, and what else the plan says.
fn figures(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let (words, role) = state(grid);
    let mut lines = wrapped(model, &words, width, role);
    lines.extend(results(model, grid, width));
    let plan = grid.planned().and_then(|planned| planned.as_ref().ok()).filter(|_| !grid.is_opened);
    let plan = plan.map_or(&[][..], |planned| &planned.lines);
    lines.push(Line::default());
    for line in plan.iter().filter(|line| !grid.view.head.contains(line)) {
        lines.extend(wrapped(model, line, width, StyleRole::Dim));
    }
    lines
}

/// For each variant its answers with intervals, then the comparisons, the notes, and what was asked.
fn results(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for row in &grid.view.rows {
        lines.push(Line::default());
        lines.extend(variant(model, grid, row, width));
    }
    for block in [&grid.view.tail, &grid.view.head] {
        lines.push(Line::default());
        lines.extend(block.iter().flat_map(|line| wrapped(model, line, width, StyleRole::Dim)));
    }
    lines
}

/// The variants and what was found out as text, at any length.
pub(super) fn result_text(model: &Model, grid: &AskGrid) -> Vec<String> {
    plain(&results(model, grid, u16::MAX))
}

fn variant(model: &Model, grid: &AskGrid, row: &StudyRow, width: u16) -> Vec<Line<'static>> {
    let name = truncate(&sanitize(&format!("{}  {}", row.number, row.name)), width);
    let mut lines = vec![Line::styled(name, variant_style(model, row.number))];
    lines.extend(row.answers.iter().map(|answer| answer_line(model, row, answer, width)));
    let facts = grid.view.facts(row).join(" · ");
    lines.extend(wrap(&facts, width, &Span::raw("     "), model.style(StyleRole::Dim)));
    lines
}

fn answer_line(model: &Model, row: &StudyRow, answer: &AnswerBar, width: u16) -> Line<'static> {
    let name = truncate(&sanitize(&answer.answer), ANSWER);
    let gap = " ".repeat(usize::from(ANSWER).saturating_sub(Span::raw(&name).width()) + 1);
    let notes = if answer.notes.is_empty() { String::new() } else { format!("  {}", answer.notes) };
    let words = sanitize(&format!(" {}{notes}", answer.words)).into_owned();
    let [full, rest] = bar_text(answer.share, BAR);
    Line::from(vec![
        Span::raw("     "),
        Span::styled(name, model.style(StyleRole::Action)),
        Span::raw(gap),
        Span::styled(full, variant_style(model, row.number)),
        Span::styled(rest, model.style(StyleRole::BarEmpty)),
        Span::styled(truncate(&words, width.saturating_sub(6 + ANSWER + BAR)), model.style(StyleRole::Text)),
    ])
}

/// What the selected reply is, in one line.
pub(super) fn reply_title(grid: &AskGrid) -> String {
    let Some(row) = grid.selected() else { return String::new() };
    let name = row.name.split_whitespace().collect::<Vec<_>>().join(" ");
    match grid.call() {
        None => format!("Variant {}: {name}", row.number),
        Some(call) => {
            let (answer, _) = answer_words(call);
            format!("Reply {} of variant {}: {answer}{} · {name}", call.number, row.number, signs(call))
        }
    }
}

/// What is known of a reply, and its text.
pub(super) fn reply(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let Some(call) = grid.call() else {
        let words = if grid.is_running() { "no reply yet" } else { "no reply yet: Enter makes the calls" };
        return wrapped(model, words, width, StyleRole::Dim);
    };
    let mut lines = wrapped(model, &facts(call).join(" · "), width, StyleRole::Dim);
    lines.extend(wrapped(model, call.text.as_deref().unwrap_or("no reply"), width, StyleRole::Text));
    lines
}

/// What is known of a call besides its text.
pub(super) fn facts(call: &Sample) -> Vec<String> {
    let target = call.meets_target.map(|meets| if meets { "meets the target" } else { "not the target" });
    let rated = call.rating.map(|rating| format!("rated {}", Rating::name(rating)));
    target.map(str::to_owned).into_iter().chain(rated).chain(call.facts.iter().cloned()).collect()
}

fn request(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    match grid.selected().and_then(|row| grid.requests.get(&row.number)) {
        None => wrapped(model, "reading the request …", width, StyleRole::Dim),
        Some(Err(problem)) => wrapped(model, &format!("! {}", sentence(problem)), width, StyleRole::Fault),
        Some(Ok(body)) => {
            let note = "The body as it was stored; images are beside it, by their digest.";
            let mut lines = wrapped(model, note, width, StyleRole::Dim);
            lines.extend(wrapped(model, body, width, StyleRole::Text));
            lines
        }
    }
}

/// The lines that only one of two requests has, with a few around them.
fn difference(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let Some(rows) = grid.compared() else { return Vec::new() };
    let mut lines = Vec::new();
    for (row, (sign, role)) in rows.iter().zip([("-", StyleRole::CodeRemoved), ("+", StyleRole::CodeAdded)]) {
        let name = format!("{sign} variant {}: {}", row.number, row.name);
        lines.push(Line::styled(truncate(&sanitize(&name), width), model.style(role)));
    }
    lines.push(Line::default());
    let bodies = rows.map(|row| grid.requests.get(&row.number));
    match bodies {
        [Some(Ok(old)), Some(Ok(new))] => lines.extend(changed_lines(model, (old, new), width)),
        [Some(Err(problem)), _] | [_, Some(Err(problem))] => {
            lines.extend(wrapped(model, &format!("! {}", sentence(problem)), width, StyleRole::Fault));
        }
        _ => lines.extend(wrapped(model, "reading the requests …", width, StyleRole::Dim)),
    }
    lines
}

fn changed_lines(model: &Model, (old, new): (&str, &str), width: u16) -> Vec<Line<'static>> {
    if old == new {
        return wrapped(model, "the requests are equal", width, StyleRole::Ok);
    }
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let changes = sequence_changes(&old, &new);
    let is_same = |change: &SequenceChange| matches!(change, SequenceChange::Same(..));
    let is_near = |at: usize| {
        let near = at.saturating_sub(AROUND)..(at + AROUND + 1).min(changes.len());
        changes[near].iter().any(|change| !is_same(change))
    };
    let mut lines = Vec::new();
    let mut is_gap = false;
    for (at, change) in changes.iter().enumerate() {
        let (sign, text, role) = match change {
            SequenceChange::Same(..) if !is_near(at) => {
                if !is_gap {
                    lines.push(Line::styled("  …", model.style(StyleRole::Dim)));
                }
                is_gap = true;
                continue;
            }
            SequenceChange::Same(at, _) => ("  ", old[*at], StyleRole::Dim),
            SequenceChange::Removed(at) => ("- ", old[*at], StyleRole::CodeRemoved),
            SequenceChange::Added(at) => ("+ ", new[*at], StyleRole::CodeAdded),
        };
        is_gap = false;
        let style = model.style(role);
        lines.extend(wrap(text, width, &Span::styled(sign, style), style));
    }
    lines
}

/// The asks that are stored for the step.
fn stored(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    match &grid.stored {
        None => wrapped(model, "reading the asks of this step …", width, StyleRole::Dim),
        Some(Err(problem)) => wrapped(model, &format!("! {}", sentence(problem)), width, StyleRole::Fault),
        Some(Ok(asks)) if asks.is_empty() => {
            wrapped(model, &empty::words(model, Empty::Asks { of_suite: false }), width, StyleRole::Dim)
        }
        Some(Ok(asks)) => {
            let at = grid.stored_at.min(asks.len() - 1);
            let row = |(place, ask): (usize, _)| {
                let style = model.style(if place == at { StyleRole::Selection } else { StyleRole::Text });
                let mark = if place == at { "▸ " } else { "  " };
                let words = truncate(&sanitize(&stored_ask_line(ask)), width.saturating_sub(2));
                Line::from(vec![Span::styled(mark, model.style(StyleRole::Key)), Span::styled(words, style)])
            };
            asks.iter().map(|ask| &**ask).enumerate().map(row).collect()
        }
    }
}
