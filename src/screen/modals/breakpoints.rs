//! The list of breakpoints, each with the number that switches it: marks, then conditions that were typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::Model;
use mageyard_domain::sanitize;
use mageyard_engine::Breakpoints;
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// The widest the list is.
const MAX_WIDTH: u16 = 62;
/// Columns of the names.
const NAME_WIDTH: usize = 10;
/// Columns before the titles: the number, the mark and the name.
const INDENT: usize = 6 + NAME_WIDTH;

pub(super) fn draw(model: &Model, breaks: &Breakpoints, whole: Rect, buf: &mut Buffer) {
    let width = super::centered_area(whole, MAX_WIDTH, 0).width.saturating_sub(4);
    let numbered = (1..).zip(Breakpoints::TOGGLES);
    let marks = numbered.flat_map(|(number, mark)| {
        rows(model, number, mark.name(), Breakpoints::title(mark), breaks.has(mark), width)
    });
    let mut lines: Vec<_> = marks.collect();
    let first = Breakpoints::TOGGLES.len() + 1;
    let own = (first..).zip(breaks.own());
    lines.extend(own.flat_map(|(number, one)| own_rows(model, number, &one.to_string(), width)));
    lines.extend(entry(model));
    let place = super::centered_area(whole, MAX_WIDTH, to_cells(lines.len()).saturating_add(2));
    let foot = "a number switches · 0 clears all · Esc closes";
    let inner =
        super::draw_border(model, "Pause the run when a step is", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

/// Where a condition is typed.
fn entry(model: &Model) -> [Line<'static>; 2] {
    let dim = model.style(StyleRole::Dim);
    let words = [
        Span::styled("add: ", dim),
        Span::styled("█", model.style(StyleRole::Key)),
        Span::styled("  type a condition, such as ra>=3", dim),
    ];
    [Line::default(), Line::from_iter(words)]
}

/// The number that switches a breakpoint, and whether it is active. Only nine have a number.
fn head(model: &Model, number: usize, set: bool) -> [Span<'static>; 2] {
    let style = model.style(if set { StyleRole::TitleFocus } else { StyleRole::Text });
    let number = if number < 10 { format!("{number} ") } else { "  ".to_owned() };
    [
        Span::styled(number, model.style(StyleRole::Key)),
        Span::styled(if set { "[x] " } else { "[ ] " }, style),
    ]
}

/// A mark; further rows have what does not fit of its title.
fn rows(model: &Model, number: usize, name: &str, title: &str, set: bool, width: u16) -> Vec<Line<'static>> {
    let style = model.style(if set { StyleRole::TitleFocus } else { StyleRole::Text });
    let name = Span::styled(format!("{name:<NAME_WIDTH$}"), style);
    let mut rows = wrap(title, width, &Span::raw(" ".repeat(INDENT)), model.style(StyleRole::Dim));
    if let Some(first) = rows.first_mut() {
        first.spans.splice(..1, head(model, number, set).into_iter().chain([name]));
    }
    rows
}

/// A condition that was typed.
fn own_rows(model: &Model, number: usize, condition: &str, width: u16) -> Vec<Line<'static>> {
    let indent = Span::raw(" ".repeat(INDENT - NAME_WIDTH));
    let mut rows = wrap(&sanitize(condition), width, &indent, model.style(StyleRole::TitleFocus));
    if let Some(first) = rows.first_mut() {
        first.spans.splice(..1, head(model, number, true));
    }
    rows
}
