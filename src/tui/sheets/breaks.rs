//! The breakpoints: what makes a run stand, each with the number that switches it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::engine::Break;
use crate::engine::Breaks;
use crate::tui::figures::cells;
use crate::tui::model::Model;
use crate::tui::theme::Role;

pub(super) fn draw(model: &Model, breaks: Breaks, whole: Rect, buf: &mut Buffer) {
    let lines: Vec<_> = (1..).zip(Break::ALL).map(|(number, one)| row(model, number, one, breaks)).collect();
    let place = super::middle(whole, 62, cells(lines.len()).saturating_add(2));
    let foot = "a number switches · 0 none · Esc closes";
    let inner = super::open(model, "A run stands when a step is", foot, Role::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn row(model: &Model, number: u8, one: Break, breaks: Breaks) -> Line<'static> {
    let set = breaks.has(one);
    let style = model.style(if set { Role::TitleFocus } else { Role::Text });
    Line::from(vec![
        Span::styled(format!("{number} "), model.style(Role::Key)),
        Span::styled(if set { "[x] " } else { "[ ] " }, style),
        Span::styled(format!("{:<10}", one.name()), style),
        Span::styled(one.title(), model.style(Role::Dim)),
    ])
}
