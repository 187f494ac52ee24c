//! The list of breakpoints, each with the number that toggles it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::engine::Breakpoints;
use crate::engine::Mark;
use crate::tui::format::to_cells;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::wrap;

/// The widest the list is.
const MAX_WIDTH: u16 = 62;
/// Columns of the names.
const NAME_WIDTH: usize = 10;
/// Columns before the titles: the number, the mark and the name.
const INDENT: usize = 6 + NAME_WIDTH;

pub(super) fn draw(model: &Model, breaks: &Breakpoints, whole: Rect, buf: &mut Buffer) {
    let width = super::centered_area(whole, MAX_WIDTH, 0).width.saturating_sub(4);
    let numbered = (1..).zip(Breakpoints::TOGGLES);
    let lines: Vec<_> = numbered.flat_map(|(number, one)| rows(model, number, one, breaks, width)).collect();
    let place = super::centered_area(whole, MAX_WIDTH, to_cells(lines.len()).saturating_add(2));
    let foot = "a number toggles · 0 clears all · Esc closes";
    let inner =
        super::draw_border(model, "Pause the run when a step is", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

/// A breakpoint; further rows have what does not fit of its title.
fn rows(model: &Model, number: u8, one: Mark, breaks: &Breakpoints, width: u16) -> Vec<Line<'static>> {
    let set = breaks.has(one);
    let style = model.style(if set { StyleRole::TitleFocus } else { StyleRole::Text });
    let head = [
        Span::styled(format!("{number} "), model.style(StyleRole::Key)),
        Span::styled(if set { "[x] " } else { "[ ] " }, style),
        Span::styled(format!("{:<NAME_WIDTH$}", one.name()), style),
    ];
    let mut rows =
        wrap(Breakpoints::title(one), width, &Span::raw(" ".repeat(INDENT)), model.style(StyleRole::Dim));
    if let Some(first) = rows.first_mut() {
        first.spans.splice(..1, head);
    }
    rows
}
