//! Draws the dialog of models: the list, and beside it what is known of the selected one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::sheet::{Field, ModelRow, ModelSheet};
use crate::empty::{self, Empty};
use crate::modals::{centered_area, draw_border, heading};
use crate::model::Model;
use crate::requests::{CheckEntry, CheckState, SuggestedValue};
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, truncate, wrap};

/// From this width on the facts are beside the list; below, they are under it.
const WIDE: u16 = 100;
/// The most columns and rows of the dialog.
const MOST_WIDTH: u16 = 116;
const MOST_ROWS: u16 = 24;
/// Rows of the list where the facts are under it.
const LIST_ROWS: u16 = 7;

pub(crate) fn draw(model: &Model, sheet: &ModelSheet, whole: Rect, buf: &mut Buffer) {
    let rows = if sheet.checked.is_some() { whole.height } else { MOST_ROWS };
    let place = centered_area(whole, MOST_WIDTH, rows);
    let foot = match &sheet.field {
        Some(Field::Url(_)) => "Enter asks the server · Esc goes back",
        Some(Field::Profile { .. }) => "Enter saves and selects it · Esc goes back",
        None => "Enter uses it · c checks it · l looks on this machine · u URL · Esc closes",
    };
    let inner = draw_border(model, "Models", foot, StyleRole::BorderFocus, place, buf);
    let bottom = Rect { y: inner.bottom().saturating_sub(1), height: 1.min(inner.height), ..inner };
    let body = Rect { height: inner.height.saturating_sub(2), ..inner };
    let (list, facts) = if inner.width >= WIDE {
        let left = inner.width * 2 / 5;
        let facts = Rect { x: body.x + left + 1, width: body.width - left - 1, ..body };
        (Rect { width: left, ..body }, facts)
    } else {
        let rows = LIST_ROWS.min(body.height);
        let facts = Rect { y: body.y + rows, height: body.height - rows, ..body };
        (Rect { height: rows, ..body }, facts)
    };
    draw_list(model, sheet, list, buf);
    Text::from(facts_lines(model, sheet, facts.width)).render(facts, buf);
    last_line(model, sheet, bottom.width).render(bottom, buf);
}

fn draw_list(model: &Model, sheet: &ModelSheet, area: Rect, buf: &mut Buffer) {
    let rows = sheet.rows();
    let selected = sheet.selected.min(rows.len().saturating_sub(1));
    let room = usize::from(area.height);
    let from = (selected + 1).saturating_sub(room);
    let lines: Vec<Line<'static>> = match &sheet.models {
        None => vec![Line::styled("reading …", model.style(StyleRole::Dim))],
        Some(Err(problem)) => {
            wrap(&problem.to_string(), area.width, &Span::raw(""), model.style(StyleRole::Fault))
        }
        Some(Ok(_)) if rows.is_empty() => empty::lines(model, Empty::Models, area.width),
        Some(Ok(_)) => {
            let shown = rows.iter().enumerate().skip(from).take(room);
            shown.map(|(index, row)| row_line(model, row, index == selected, area.width)).collect()
        }
    };
    Text::from(lines).render(area, buf);
}

fn row_line(model: &Model, row: &ModelRow, is_selected: bool, width: u16) -> Line<'static> {
    let (name, note) = match row {
        ModelRow::Named(entry) => (entry.name.clone(), entry.kind.clone()),
        ModelRow::Served { url, program, model } if program.is_empty() => (model.clone(), url.clone()),
        ModelRow::Served { program, model, .. } => (model.clone(), program.clone()),
        ModelRow::Silent { url, .. } => (url.clone(), "lists no models".to_owned()),
    };
    let mark = if is_selected { "▸ " } else { "  " };
    let role = if is_selected { StyleRole::Selection } else { StyleRole::Text };
    let name = truncate(&sanitize(&name), width.saturating_sub(14));
    let room = width.saturating_sub(4 + u16::try_from(Span::raw(&name).width()).unwrap_or(0));
    Line::from(vec![
        Span::styled(mark, model.style(StyleRole::Key)),
        Span::styled(name, model.style(role)),
        Span::raw("  "),
        Span::styled(truncate(&sanitize(&note), room), model.style(StyleRole::Dim)),
    ])
}

/// What is known of the selected model, and the checks that were made of it.
fn facts_lines(model: &Model, sheet: &ModelSheet, width: u16) -> Vec<Line<'static>> {
    let Some(row) = sheet.selected_row() else { return Vec::new() };
    let text = model.style(StyleRole::Text);
    let mut lines: Vec<Line<'static>> =
        facts(&row).iter().flat_map(|line| wrap(&sanitize(line), width, &Span::raw(""), text)).collect();
    if sheet.checked.is_some() && sheet.checked == row.target() {
        lines.push(Line::default());
        lines.push(heading(model, if sheet.is_checking { "Checks, being made" } else { "Checks" }));
        lines.extend(sheet.checks.iter().flat_map(|check| check_lines(model, check, width)));
    }
    lines
}

/// What is known of a row.
pub(super) fn facts(row: &ModelRow) -> Vec<String> {
    match row {
        ModelRow::Named(entry) => entry.facts.clone(),
        ModelRow::Served { url, model, .. } => vec![
            format!("model: {model}"),
            format!("server: {url}"),
            "Enter saves it as a profile of your settings, under a name that you choose.".to_owned(),
        ],
        ModelRow::Silent { url, why } => vec![format!("server: {url}"), why.clone()],
    }
}

fn check_lines(model: &Model, check: &CheckEntry, width: u16) -> Vec<Line<'static>> {
    let (sign, role) = match check.state {
        CheckState::Passed => ("✓ ", StyleRole::Ok),
        CheckState::Failed => ("✗ ", StyleRole::Fault),
        CheckState::Unknown => ("? ", StyleRole::Dim),
    };
    let words = sanitize(&said(check)).into_owned();
    let mut lines = wrap(&words, width, &Span::raw("  "), model.style(StyleRole::Text));
    if let Some(first) = lines.first_mut().and_then(|line| line.spans.first_mut()) {
        *first = Span::styled(sign, model.style(role));
    }
    lines
}

/// The suggested settings in words; `None` if there are none.
pub(super) fn suggestion(settings: &[&SuggestedValue]) -> Option<String> {
    let words = settings.iter().map(|setting| format!("{} = {}", setting.name, setting.value));
    (!settings.is_empty()).then(|| words.collect::<Vec<_>>().join(", "))
}

/// A check in words.
pub(super) fn said(check: &CheckEntry) -> String {
    let advice = check.advice.as_ref().map(|advice| format!("; {advice}")).unwrap_or_default();
    format!("{}: {}{advice}", check.name, check.evidence)
}

/// The field that is typed, what was said last, the settings that checks suggest, or where keys of servers come from.
fn last_line(model: &Model, sheet: &ModelSheet, width: u16) -> Line<'static> {
    let (label, text, role) = match (&sheet.field, &sheet.said) {
        (Some(field @ Field::Url(_)), _) => ("URL: ", format!("{}█", field.text()), StyleRole::Text),
        (Some(field), _) => ("name of the profile: ", format!("{}█", field.text()), StyleRole::Text),
        (None, _) if sheet.is_finding => ("", "asking servers …".to_owned(), StyleRole::Dim),
        (None, Some(said)) => ("", said.clone(), StyleRole::Notice),
        (None, None) if !sheet.suggested().is_empty() => {
            let settings = suggestion(&sheet.suggested()).unwrap_or_default();
            ("a ", format!("uses it with {settings}"), StyleRole::Text)
        }
        (None, None) => {
            ("", "API keys are read from variables; none is typed here or stored.".to_owned(), StyleRole::Dim)
        }
    };
    let room = width.saturating_sub(u16::try_from(label.len()).unwrap_or(0));
    Line::from(vec![
        Span::styled(label, model.style(StyleRole::Key)),
        Span::styled(truncate(&sanitize(&text), room), model.style(role)),
    ])
}
