//! The table of a diagnosis, or of questions about states: a row for each state and a column for each view, with what was found
//! there; below it the shares and the figures.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::asked::{Page, plain, state, wrapped};
use super::suite_table::table;
use crate::model::{AskProgress, AskedSheet, Model};
use mageyard_study::ComparedState;
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// The columns of the name of a state, at most.
const MAX_NAME: u16 = 34;
/// The columns of a cell, at most.
const MAX_CELL: u16 = 40;
/// The columns between two columns of the table.
const GAP: u16 = 2;

/// The columns of the table that are shown, with their widths.
struct Columns {
    /// Of the name of a state, without its mark.
    name: u16,
    /// The first view.
    first: usize,
    /// Of each view that is shown.
    views: Vec<u16>,
}

pub(super) fn page(model: &Model, report: &AskedSheet, width: u16) -> Page {
    let failed = matches!(report.progress, AskProgress::Failed(_));
    let role = if failed { StyleRole::Fault } else { StyleRole::Dim };
    let mut lines = wrapped(model, &state(report), width, role);
    lines.push(Line::default());
    let columns = columns(report, width);
    lines.push(heading(model, report, &columns));
    let mut selected = 0..0;
    for (index, state) in report.view.states.iter().enumerate() {
        if index == report.row() {
            selected = lines.len()..lines.len() + 1;
        }
        lines.push(state_line(model, report, (index, state), &columns));
    }
    let said = |block: &[String], role: StyleRole| -> Vec<Line<'static>> {
        block.iter().flat_map(|line| wrapped(model, line, width, role)).collect()
    };
    let shares = said(&report.view.end, StyleRole::Text);
    let figures = table(model, &report.view.categories, width);
    let notes = said(&report.view.tail, StyleRole::Dim);
    for block in [shares, figures, notes].into_iter().filter(|block| !block.is_empty()) {
        lines.push(Line::default());
        lines.extend(block);
    }
    Page { lines, selected }
}

/// The columns that fit, with that of the selected view.
fn columns(report: &AskedSheet, width: u16) -> Columns {
    let widest = |texts: &mut dyn Iterator<Item = &str>, most: u16| {
        texts.map(UnicodeWidthStr::width).max().map_or(0, to_cells).min(most)
    };
    let view = &report.view;
    let names: Vec<String> = view.states.iter().map(name).collect();
    let name = widest(&mut names.iter().map(String::as_str), MAX_NAME).max(5).min(width / 2);
    let cells = |index: usize| {
        let of = view.states.iter().filter_map(move |state| state.variants.get(index));
        let heading = view.rows.get(index).map(|row| row.name.as_str());
        heading.into_iter().chain(of.map(|found| found.summary.as_str()))
    };
    let widths: Vec<u16> =
        (0..view.rows.len()).map(|index| widest(&mut cells(index), MAX_CELL) + GAP).collect();
    let room = width.saturating_sub(name + 2 + GAP);
    let selected = selected_view(report);
    let fits = |first: usize| widths[first..=selected].iter().sum::<u16>() <= room;
    let first =
        if widths.is_empty() { 0 } else { (0..selected).find(|first| fits(*first)).unwrap_or(selected) };
    let mut left = room;
    let shown = widths.iter().skip(first).map_while(|width| {
        let is_first = left == room;
        let is_shown = *width <= left || is_first;
        left = left.saturating_sub(*width);
        is_shown.then_some((*width).min(room))
    });
    Columns { name, first, views: shown.collect() }
}

fn selected_view(report: &AskedSheet) -> usize {
    let first = report.suite.as_ref().map_or(0, |states| states.first_variant);
    first.min(report.view.rows.len().saturating_sub(1))
}

fn name(state: &ComparedState) -> String {
    format!("{}. {}", state.number, state.title)
}

/// A text in this width, cut with a mark.
fn padded(text: &str, width: u16) -> String {
    let text = truncate(text, width);
    let gap = usize::from(width).saturating_sub(text.width());
    format!("{text}{}", " ".repeat(gap))
}

/// The names of the views; `…` where there are more of them.
fn heading(model: &Model, report: &AskedSheet, columns: &Columns) -> Line<'static> {
    let style = model.style(StyleRole::Dim);
    let mut spans = vec![Span::styled(format!("  {}", padded("state", columns.name + GAP)), style)];
    let names = report.view.rows.iter().skip(columns.first).zip(&columns.views);
    spans.extend(names.map(|(row, width)| Span::styled(padded(&row.name, *width), style)));
    let hidden = columns.first > 0 || columns.first + columns.views.len() < report.view.rows.len();
    spans.extend(hidden.then(|| Span::styled("← →", style)));
    Line::from(spans)
}

/// A state with what was found in each view; the selected cell is marked.
fn state_line(
    model: &Model,
    report: &AskedSheet,
    (index, state): (usize, &ComparedState),
    columns: &Columns,
) -> Line<'static> {
    let is_row = index == report.row();
    let mark = Span::raw("  ");
    let name = Span::styled(padded(&name(state), columns.name + GAP - 1), model.style(StyleRole::Text));
    let shown = (columns.first..).zip(state.variants.iter().skip(columns.first)).zip(&columns.views);
    // The column before a cell has the mark of the selected one.
    let cells = shown.flat_map(|((view, found), width)| {
        let is_selected = is_row && view == selected_view(report);
        let role = if is_selected { StyleRole::Selection } else { cell_role(&found.summary) };
        let cell = padded(&found.summary, width.saturating_sub(GAP));
        [
            Span::styled(if is_selected { "▸" } else { " " }, model.style(StyleRole::Key)),
            Span::styled(format!("{cell} "), model.style(role)),
        ]
    });
    Line::from([mark, name].into_iter().chain(cells).collect::<Vec<_>>())
}

/// The style of a finding, by its sign.
fn cell_role(summary: &str) -> StyleRole {
    match summary.chars().next() {
        Some('✓') => StyleRole::Ok,
        Some('…') | None => StyleRole::Dim,
        Some(_) => StyleRole::Warn,
    }
}

/// The progress, the states with what was found in each view, and the shares, as text at any length.
pub(crate) fn text(model: &Model, report: &AskedSheet) -> Vec<String> {
    let view = &report.view;
    let mut lines = vec![state(report)];
    for state in &view.states {
        let found = view.rows.iter().zip(&state.variants);
        let found: Vec<String> =
            found.map(|(row, found)| format!("{}: {}", row.name, found.summary)).collect();
        lines.push(format!("state {}, {}: {}", state.number, state.title, found.join("; ")));
    }
    if let Some((titles, rows)) = view.categories.split_first() {
        lines.extend(rows.iter().map(|row| {
            let cells = titles.iter().zip(row).map(|(title, cell)| format!("{title} {cell}"));
            cells.collect::<Vec<_>>().join(", ")
        }));
    }
    let rest = view.end.iter().chain(&view.tail);
    lines.extend(rest.flat_map(|line| plain(&wrapped(model, line, u16::MAX, StyleRole::Text))));
    lines
}
