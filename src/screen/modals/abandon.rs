//! The question before an episode is abandoned.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::Model;
use mageyard_terminal::StyleRole;

pub(super) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    let place = super::centered_area(whole, 52, 6);
    let inner = super::draw_border(
        model,
        "Abandon the episode?",
        "any other key continues",
        StyleRole::Warn,
        place,
        buf,
    );
    let text = vec![
        Line::raw("It ends here and cannot be resumed."),
        Line::default(),
        Line::from(vec![
            Span::styled("y", model.style(StyleRole::Key)),
            Span::styled(" abandon   ", model.style(StyleRole::Dim)),
            Span::styled("n", model.style(StyleRole::Key)),
            Span::styled(" continue", model.style(StyleRole::Dim)),
        ]),
    ];
    Text::from(text).style(model.style(StyleRole::Text)).render(inner, buf);
}
