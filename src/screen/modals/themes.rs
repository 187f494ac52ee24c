//! The theme picker: a small list at the left, so that the panes beside it show the selected theme.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::empty::{self, Empty};
use crate::model::{Model, ThemePicker};
use crate::pane::footer_height;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// The columns of the picker with its border.
const WIDTH: u16 = 48;
/// The most names that are shown at a time.
const MAX_ROWS: usize = 12;

pub(super) fn draw(model: &Model, picker: &ThemePicker, whole: Rect, buf: &mut Buffer) {
    let lines = lines(model, picker, WIDTH - 4);
    let bottom = whole.bottom().saturating_sub(footer_height(whole.width));
    let height = to_cells(lines.len()).saturating_add(2).min(bottom);
    let place = Rect { y: bottom - height, height, width: WIDTH.min(whole.width), ..whole };
    let foot = "↑ ↓ preview · Enter keeps · Esc restores";
    let inner = super::draw_box(model, "Themes", foot, StyleRole::BorderFocus, place, buf);
    Text::from(lines).render(inner, buf);
}

fn lines(model: &Model, picker: &ThemePicker, width: u16) -> Vec<Line<'static>> {
    if picker.names.is_empty() {
        return empty::lines(model, Empty::Themes, width);
    }
    let from = picker.selected.saturating_sub(MAX_ROWS - 1);
    let shown = picker.names.iter().enumerate().skip(from).take(MAX_ROWS);
    let mut lines: Vec<_> = shown.map(|(index, name)| row(model, picker, index, name, width)).collect();
    if let Some(problem) = &picker.problem {
        let mark = Span::styled("! ", model.style(StyleRole::Fault));
        lines.extend(wrap(problem, width, &mark, model.style(StyleRole::Warn)).into_iter().take(4));
    }
    lines
}

fn row(model: &Model, picker: &ThemePicker, index: usize, name: &str, width: u16) -> Line<'static> {
    let chosen = index == picker.selected;
    let style = model.style(if chosen { StyleRole::Selection } else { StyleRole::Text });
    let configured = name == model.appearance.theme.name();
    let before = name == picker.before.name();
    let note = match (configured, before) {
        (true, _) => "  configured",
        (false, true) => "  now",
        (false, false) => "",
    };
    Line::from(vec![
        Span::styled(if chosen { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(truncate(&sanitize(name), width.saturating_sub(20)), style),
        Span::styled(note, model.style(StyleRole::Dim)),
    ])
}
