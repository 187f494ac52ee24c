//! The list of suites: shipped ones and those of the user.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::asked::{marked, wrapped};
use crate::empty::{self, Empty};
use crate::layout::screen_dialog_area;
use crate::model::{Model, SuiteList};
use crate::requests::SuiteEntry;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// The columns of the dialog with its border, at most.
const MAX_WIDTH: u16 = 100;

fn area(whole: Rect) -> Rect {
    super::centered_area(whole, MAX_WIDTH, whole.height)
}

/// The rows of a page.
pub(crate) fn page(model: &Model) -> usize {
    usize::from(area(screen_dialog_area(model)).height.saturating_sub(4) / 2).max(1)
}

pub(super) fn draw(model: &Model, list: &SuiteList, whole: Rect, buf: &mut Buffer) {
    let width = area(whole).width.saturating_sub(4);
    let (lines, selected) = lines(model, list, width);
    let place = super::centered_area(whole, MAX_WIDTH, to_cells(lines.len()).saturating_add(2));
    let foot = "↑ ↓ select · Enter asks about it · Esc closes";
    let inner = super::draw_border(model, "Suites of states", foot, StyleRole::BorderFocus, place, buf);
    let scroll = selected.saturating_sub(inner.height.saturating_sub(1));
    super::draw_lines(model, lines, scroll, inner, buf);
}

/// The lines, and the last one of the selected row.
fn lines(model: &Model, list: &SuiteList, width: u16) -> (Vec<Line<'static>>, u16) {
    if list.rows.is_none() {
        return (wrapped(model, "reading the suites …", width, StyleRole::Dim), 0);
    }
    let mut lines = Vec::new();
    let mut end = 0;
    for (index, row) in list.rows().iter().enumerate() {
        lines.push(marked(model, index == list.selected(), &head(row), width));
        let role = if row.broken.is_some() { StyleRole::Fault } else { StyleRole::Dim };
        lines.extend(wrap(&facts(row), width, &Span::raw("     "), model.style(role)));
        if index == list.selected() {
            end = to_cells(lines.len()).saturating_sub(1);
        }
    }
    if lines.is_empty() {
        return (empty::lines(model, Empty::Suites, width), 0);
    }
    lines.push(Line::default());
    let help = ":suite add NAME adds the shown step to a suite of your own; it is created if there is none";
    lines.extend(wrapped(model, help, width, StyleRole::Dim));
    (lines, end)
}

fn head(row: &SuiteEntry) -> String {
    format!("{}  {}", row.name, if row.is_own { "your own" } else { "shipped" })
}

fn facts(row: &SuiteEntry) -> String {
    row.broken.as_ref().map_or_else(|| row.facts.join(" · "), |why| format!("! {why}"))
}

/// A suite in one line.
pub(crate) fn line(row: &SuiteEntry) -> String {
    format!("{}: {}", head(row), facts(row))
}
