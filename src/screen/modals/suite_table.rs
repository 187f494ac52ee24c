//! The report of a suite: the shares of each variant, the comparisons, and the states in which the answers differ.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::asked::{Page, marked, plain, state, wrapped};
use crate::model::{AskProgress, AskedSheet, Model};
use mageyard_study::ComparedState;
use mageyard_terminal::{StyleRole, count_of, truncate, wrap};

/// The columns of a cell of the table, at most.
const MAX_CELL: u16 = 40;

/// The table with all comparisons as text, at any length, without the states.
pub(crate) fn table_text(model: &Model, report: &AskedSheet) -> Vec<String> {
    plain(&head(model, report, u16::MAX))
}

/// What is above the states.
fn head(model: &Model, report: &AskedSheet, width: u16) -> Vec<Line<'static>> {
    let failed = matches!(report.progress, AskProgress::Failed(_));
    let role = if failed { StyleRole::Fault } else { StyleRole::Dim };
    let mut lines = wrapped(model, &state(report), width, role);
    for row in &report.view.rows {
        let name = format!("variant {}: {}", row.number, row.name);
        lines.extend(wrapped(model, &name, width, StyleRole::Text));
    }
    lines.push(Line::default());
    lines.extend(table(model, &report.view.turned(), width));
    for block in [&report.view.tail, &report.view.end] {
        lines.push(Line::default());
        lines.extend(block.iter().flat_map(|line| wrapped(model, line, width, StyleRole::Dim)));
    }
    lines
}

pub(super) fn page(model: &Model, report: &AskedSheet, width: u16) -> Page {
    let mut lines = head(model, report, width);
    let mut selected = 0..0;
    for (index, state) in report.view.states.iter().enumerate() {
        lines.extend(heading(model, report, index));
        let first = lines.len();
        let differs = index < report.view.differing;
        lines.extend(state_lines(model, state, differs, index == report.row(), width));
        if index == report.row() {
            selected = first..lines.len();
        }
    }
    Page { lines, selected }
}

/// The heading above the states in which the answers differ, and above the others.
fn heading(model: &Model, report: &AskedSheet, index: usize) -> Vec<Line<'static>> {
    let differing = report.view.differing;
    let all = report.view.states.len();
    let words = match index {
        0 if differing > 0 => format!("The answers differ in {}", count_of(differing, "state")),
        index if index == differing => format!("Alike in {}", count_of(all - differing, "state")),
        _ => return Vec::new(),
    };
    vec![Line::default(), super::heading(model, words)]
}

fn state_lines(
    model: &Model,
    state: &ComparedState,
    differs: bool,
    selected: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = vec![marked(model, selected, &state_line(state), width)];
    if differs {
        let indent = Span::raw("       ");
        lines.extend(wrap(&state.answers(), width, &indent, model.style(StyleRole::Dim)));
    }
    lines
}

fn state_line(state: &ComparedState) -> String {
    format!("{:>3}  {}", state.number, state.title)
}

/// A state in one line, with the answers of each variant.
pub(crate) fn said(state: &ComparedState) -> String {
    format!("state {}, {}: {}", state.number, state.title, state.answers())
}

/// The table in as few blocks as fit beside each other; each repeats the first column.
pub(super) fn table(model: &Model, rows: &[Vec<String>], width: u16) -> Vec<Line<'static>> {
    let cut = |cell: &String| truncate(cell, MAX_CELL);
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cut).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0) + 2).collect();
    let mut lines = Vec::new();
    let mut from = 1;
    while from < columns {
        let room = usize::from(width).saturating_sub(widths[0]);
        let count = fitting(&widths[from..], room).max(1);
        lines.extend((from > 1).then(Line::default));
        lines.extend(block(model, &rows, &widths, from..from + count));
        from += count;
    }
    lines
}

/// How many of these columns fit beside each other.
fn fitting(widths: &[usize], room: usize) -> usize {
    let ends = widths.iter().scan(0, |end, width| {
        *end += width;
        Some(*end)
    });
    ends.take_while(|end| *end <= room).count()
}

/// The first column and these ones.
fn block(model: &Model, rows: &[Vec<String>], widths: &[usize], columns: Range<usize>) -> Vec<Line<'static>> {
    let line = |(index, row): (usize, &Vec<String>)| {
        let shown = std::iter::once(0).chain(columns.clone());
        let cell = |column: usize| {
            let text = row.get(column).map_or("", String::as_str);
            format!("{text}{}", " ".repeat(widths[column].saturating_sub(text.width())))
        };
        let text: String = shown.map(cell).collect();
        let role = if index == 0 { StyleRole::Dim } else { StyleRole::Text };
        Line::styled(text.trim_end().to_owned(), model.style(role))
    };
    rows.iter().enumerate().map(line).collect()
}
