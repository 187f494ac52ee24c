//! The question before the level is started again.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::Model;
use mageyard_terminal::StyleRole;

pub(super) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    let place = super::centered_area(whole, 56, 6);
    let inner = super::draw_border(
        model,
        "Restart the level?",
        "any other key continues",
        StyleRole::Warn,
        place,
        buf,
    );
    let text = vec![
        Line::raw("This episode is paused and kept; H shows it again."),
        Line::default(),
        Line::from(vec![
            Span::styled("y", model.style(StyleRole::Key)),
            Span::styled(" restart   ", model.style(StyleRole::Dim)),
            Span::styled("n", model.style(StyleRole::Key)),
            Span::styled(" continue", model.style(StyleRole::Dim)),
        ]),
    ];
    Text::from(text).style(model.style(StyleRole::Text)).render(inner, buf);
}
