//! Rows that are scrolled, with marks where there are more.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;

use super::border::padding;
use super::search_marks::{mark_matches, plain_row};
use crate::model::Model;
use crate::pane::Pane;
use mageyard_terminal::{StyleRole, to_cells};

/// Draws lines from the pane's scroll position.
pub(super) fn draw_scrolled(
    model: &Model,
    pane: Pane,
    lines: &[Line<'static>],
    area: Rect,
    buf: &mut Buffer,
) {
    draw_scrolled_rows(model, pane, lines.len(), |index| lines[index].clone(), area, buf);
}

/// Draws rows from the scroll position of the pane on; only those that are visible are made.
pub(super) fn draw_scrolled_rows(
    model: &Model,
    pane: Pane,
    count: usize,
    row: impl Fn(usize) -> Line<'static>,
    area: Rect,
    buf: &mut Buffer,
) {
    let most = hidden_lines(count, area.height);
    let from = usize::from(model.panes.scroll[pane as usize].min(most));
    let visible = from..count.min(from + usize::from(area.height));
    Text::from(visible.map(&row).collect::<Vec<_>>()).render(area, buf);
    if model.search.is_some() && model.panes.focus == pane && model.modal.is_none() {
        let rows: Vec<String> = (0..count).map(|index| plain_row(&row(index))).collect();
        mark_matches(model, &rows, from, area, buf);
    }
    let border = area.right() + padding(pane).right;
    draw_scroll_marks(model, border, from > 0, from < usize::from(most), area, buf);
}

/// Draws ▲ and ▼ in this column, such as the right border, where there are more lines above or below.
pub(crate) fn draw_scroll_marks(
    model: &Model,
    x: u16,
    above: bool,
    below: bool,
    area: Rect,
    buf: &mut Buffer,
) {
    let ends = [(above, area.y, "▲"), (below, area.bottom().saturating_sub(1), "▼")];
    for (_, y, mark) in ends.into_iter().filter(|end| end.0) {
        if let Some(cell) = buf.cell_mut((x, y)) {
            cell.set_symbol(mark).set_style(model.style(StyleRole::Key));
        }
    }
}

pub(super) fn hidden_lines(lines: usize, height: u16) -> u16 {
    to_cells(lines.saturating_sub(usize::from(height)))
}
