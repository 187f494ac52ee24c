//! The strip of the tutor: the instruction of a lesson, below the panes, which become smaller for it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::model::Model;
use crate::tutor::{Tutor, TutorText};
use mageyard_terminal::{StyleRole, to_cells, wrap};

/// The rows of the strip at this width: those of the longest text of the lesson, so that the panes stay in place
/// from part to part. None without a lesson.
pub(crate) fn tutor_height(model: &Model, width: u16) -> u16 {
    let Some(tutor) = model.shown_tutor() else { return 0 };
    let rows = (0..=tutor.lesson.len()).map(|part| lines(model, tutor, part, width).len());
    to_cells(rows.max().unwrap_or(0) + 1)
}

fn lines(model: &Model, tutor: &Tutor, part: usize, width: u16) -> Vec<Line<'static>> {
    let TutorText { shown, text } = tutor.text(part, &model.appearance.keys);
    let rows = |text: &str, role| wrap(text, width.saturating_sub(1), &Span::raw(" "), model.style(role));
    let shown = shown.map(|shown| rows(&format!("✓ {shown}"), StyleRole::Ok));
    shown.into_iter().flatten().chain(rows(&text, StyleRole::Text)).collect()
}

/// Draws the strip.
pub(crate) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(tutor) = model.shown_tutor() else { return };
    let heading = format!(" {} ", tutor.heading());
    let rule = "─".repeat(usize::from(area.width).saturating_sub(heading.width() + 1));
    let mut rows = vec![Line::from(vec![
        Span::styled("─", model.style(StyleRole::BorderFocus)),
        Span::styled(heading, model.style(StyleRole::TitleFocus)),
        Span::styled(rule, model.style(StyleRole::BorderFocus)),
    ])];
    rows.extend(lines(model, tutor, tutor.part, area.width));
    Text::from(rows).render(area, buf);
}
