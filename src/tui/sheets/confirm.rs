//! The question before an episode is given up.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::tui::model::Model;
use crate::tui::theme::Role;

pub(super) fn draw(model: &Model, whole: Rect, buf: &mut Buffer) {
    let place = super::middle(whole, 52, 6);
    let inner = super::open(model, "Give the episode up?", "any other key goes on", Role::Warn, place, buf);
    let text = vec![
        Line::raw("It ends here and cannot be picked up again."),
        Line::default(),
        Line::from(vec![
            Span::styled("y", model.style(Role::Key)),
            Span::styled(" give up   ", model.style(Role::Dim)),
            Span::styled("n", model.style(Role::Key)),
            Span::styled(" go on", model.style(Role::Dim)),
        ]),
    ];
    Text::from(text).style(model.style(Role::Text)).render(inner, buf);
}
