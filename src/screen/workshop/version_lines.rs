//! The versions of the prompt with what they were answered in each state.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::sheet::{Focus, WorkshopSheet};
use super::text::{accepted_words, cell_words, changed_lines, one_line};
use crate::model::Model;
use mageyard_study::VersionCell;
use mageyard_terminal::{StyleRole, truncate};

/// Columns of the answers in a state.
const CELL: u16 = 10;
/// Columns of the sign and the number.
const NUMBER: u16 = 10;
/// Columns of the minute at which a version was asked.
const WHEN: u16 = 18;
/// Columns of the changed lines, the accepted replies, and the cost.
const FIGURES: [u16; 3] = [8, 10, 14];
/// From this width on there is the minute.
const WIDE: u16 = 90;

/// The head of the table and as many versions as fit, the newest on top.
pub(super) fn lines(model: &Model, sheet: &WorkshopSheet, width: u16, rows: u16) -> Vec<Line<'static>> {
    let mut lines = vec![head(model, sheet, width)];
    let count = sheet.texts.len();
    let is_draft_asked = sheet.draft_version().is_some();
    if !is_draft_asked {
        let words = format!("  {:<8}not asked yet; Ctrl-G plans it", "draft");
        lines.push(Line::styled(truncate(&words, width), model.style(StyleRole::Dim)));
    }
    let room = usize::from(rows).saturating_sub(lines.len());
    // The newest is the first row.
    let at = count.saturating_sub(1).saturating_sub(sheet.selected());
    let from = (at + 1).saturating_sub(room);
    let shown = (0..count).rev().skip(from).take(room);
    lines.extend(shown.map(|index| version_line(model, sheet, index, width)));
    lines
}

/// The states whose answers fit, so that the shown one is among them.
fn shown_states(sheet: &WorkshopSheet, width: u16) -> std::ops::Range<usize> {
    let room = usize::from(width.saturating_sub(fixed(width)) / CELL).max(1);
    let from = (sheet.state() + 1).saturating_sub(room);
    from..sheet.states.len().min(from + room)
}

fn fixed(width: u16) -> u16 {
    let when = if width >= WIDE { WHEN } else { 0 };
    NUMBER + when + FIGURES.iter().sum::<u16>()
}

fn head(model: &Model, sheet: &WorkshopSheet, width: u16) -> Line<'static> {
    let dim = model.style(StyleRole::Dim);
    let mut spans = vec![Span::styled(padded("  version", NUMBER), dim)];
    if width >= WIDE {
        spans.push(Span::styled(padded("asked (UTC)", WHEN), dim));
    }
    for (name, columns) in ["lines", "accepted", "cost"].iter().zip(FIGURES) {
        spans.push(Span::styled(padded(name, columns), dim));
    }
    spans.extend(shown_states(sheet, width).map(|index| {
        let is_shown = index == sheet.state();
        let name = padded(&format!("state {}", index + 1), CELL);
        Span::styled(name, if is_shown { model.style(StyleRole::Key) } else { dim })
    }));
    Line::from(spans)
}

fn version_line(model: &Model, sheet: &WorkshopSheet, index: usize, width: u16) -> Line<'static> {
    let Some(version) = sheet.texts.get(index) else { return Line::default() };
    let row = sheet.row(version.number);
    let is_selected = index == sheet.selected();
    let is_draft = sheet.draft_version() == Some(version.number);
    let role =
        if is_selected && sheet.focus == Focus::Versions { StyleRole::Selection } else { StyleRole::Text };
    let style = model.style(role);
    let sign = if is_selected { "▸ " } else { "  " };
    let number = format!("{}{}", version.number, if is_draft { " ✎" } else { "" });
    let mut spans = vec![
        Span::styled(sign, model.style(StyleRole::Key)),
        Span::styled(padded(&number, NUMBER - 2), style),
    ];
    if width >= WIDE {
        spans.push(Span::styled(padded(&version.when, WHEN), style));
    }
    let cost = row.map_or_else(|| "–".to_owned(), |row| row.cost.to_string());
    let figures = [changed_lines(version, sheet.before(index)), accepted_words(row), one_line(&cost)];
    for (words, columns) in figures.iter().zip(FIGURES) {
        spans.push(Span::styled(padded(words, columns), style));
    }
    spans.extend(shown_states(sheet, width).map(|state| {
        let cell = row.and_then(|row| row.cells.get(state));
        let is_shown = is_selected && state == sheet.state();
        Span::styled(padded(&cell_words(cell, CELL - 1), CELL), cell_style(model, cell, is_shown))
    }));
    Line::from(spans)
}

fn cell_style(model: &Model, cell: Option<&VersionCell>, is_shown: bool) -> Style {
    let role = match cell {
        Some(VersionCell { refused: Some(_), .. }) => StyleRole::Fault,
        Some(cell) if cell.replies > 0 => match cell.accepted {
            Some(accepted) if accepted == cell.replies => StyleRole::Ok,
            Some(0) => StyleRole::Fault,
            Some(_) => StyleRole::Warn,
            None => StyleRole::Text,
        },
        _ => StyleRole::Dim,
    };
    let style = model.style(role);
    if is_shown { style.add_modifier(Modifier::UNDERLINED) } else { style }
}

/// Words in so many columns, of which one stays blank.
fn padded(words: &str, columns: u16) -> String {
    let words = truncate(words, columns.saturating_sub(1));
    let gap = usize::from(columns).saturating_sub(words.width());
    format!("{words}{}", " ".repeat(gap))
}
