//! The list of breakpoints, each with the number that toggles it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::engine::Breakpoint;
use crate::engine::Breakpoints;
use crate::tui::format::to_cells;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;

pub(super) fn draw(model: &Model, breaks: &Breakpoints, whole: Rect, buf: &mut Buffer) {
    let lines: Vec<_> =
        (1..).zip(Breakpoint::ALL).map(|(number, one)| row(model, number, one, breaks)).collect();
    let place = super::centered_area(whole, 62, to_cells(lines.len()).saturating_add(2));
    let foot = "a number toggles · 0 clears all · Esc closes";
    let inner =
        super::draw_border(model, "Pause the run when a step is", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn row(model: &Model, number: u8, one: Breakpoint, breaks: &Breakpoints) -> Line<'static> {
    let set = breaks.has(one);
    let style = model.style(if set { StyleRole::TitleFocus } else { StyleRole::Text });
    Line::from(vec![
        Span::styled(format!("{number} "), model.style(StyleRole::Key)),
        Span::styled(if set { "[x] " } else { "[ ] " }, style),
        Span::styled(format!("{:<10}", one.name()), style),
        Span::styled(one.title(), model.style(StyleRole::Dim)),
    ])
}
