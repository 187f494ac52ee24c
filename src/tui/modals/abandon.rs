//! The question before an episode is given up.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::tui::model::Model;
use crate::tui::theme::StyleRole;

pub(super) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    let place = super::centered_area(whole, 52, 6);
    let inner = super::draw_border(
        model,
        "Give the episode up?",
        "any other key goes on",
        StyleRole::Warn,
        place,
        buf,
    );
    let text = vec![
        Line::raw("It ends here and cannot be picked up again."),
        Line::default(),
        Line::from(vec![
            Span::styled("y", model.style(StyleRole::Key)),
            Span::styled(" give up   ", model.style(StyleRole::Dim)),
            Span::styled("n", model.style(StyleRole::Key)),
            Span::styled(" go on", model.style(StyleRole::Dim)),
        ]),
    ];
    Text::from(text).style(model.style(StyleRole::Text)).render(inner, buf);
}
