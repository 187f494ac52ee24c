//! The question before a session or a sweep is moved to the trash.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::{Deletion, Model};
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, truncate};

pub(super) fn draw(model: &Model, deletion: &Deletion, whole: Rect, buf: &mut Buffer) {
    let place = super::centered_area(whole, 64, 8);
    let title = format!("Delete the {}?", deletion.kind());
    let inner = super::draw_border(model, &title, "any other key keeps it", StyleRole::Warn, place, buf);
    let name = truncate(&sanitize(&deletion.name), inner.width);
    let text = vec![
        Line::styled(name, model.style(StyleRole::Heading)),
        Line::raw("It moves to the trash, out of every list and report."),
        Line::raw("`mageyard log restore NAME` brings it back."),
        Line::default(),
        Line::from(vec![
            Span::styled("y", model.style(StyleRole::Key)),
            Span::styled(" delete   ", model.style(StyleRole::Dim)),
            Span::styled("n", model.style(StyleRole::Key)),
            Span::styled(" keep", model.style(StyleRole::Dim)),
        ]),
    ];
    Text::from(text).style(model.style(StyleRole::Text)).render(inner, buf);
}
