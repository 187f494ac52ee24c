//! Draws the dashboard: counts and progress, then a map, the table of cells, the episodes of a cell or the help, then the
//! keys.

mod bottom;
mod cells;
mod episodes;
mod header;
mod help;
mod map;
mod pen;
mod place;
mod table;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::pen::Pen;
use super::content::Content;
use super::dashboard::Dashboard;
use super::page::Page;
use super::state::DashboardState;
use crate::keymap::Bindings;
use mageyard_terminal::{StyleRole, Theme};

/// The smallest size that is drawn.
const SMALLEST: (u16, u16) = (60, 16);
/// The fewest rows of a map or a table in a preview.
const MAP_ROWS: u16 = 4;
/// The rows below the content: the details of what is selected, a remark, and the keys.
const BOTTOM: u16 = 3;

/// Draws counts and progress, then the first map or the table of cells.
pub(crate) fn draw_preview(content: &Content, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let state = DashboardState::default();
    let mut pen = Pen { theme, area, buf };
    let top = header::draw(&content.view, &mut pen) + 1;
    let rows = top..area.height;
    if rows.len() < usize::from(MAP_ROWS) {
        return;
    }
    match state.page(content) {
        Page::Map => map::draw(content, &state, &mut pen, rows),
        Page::Table | Page::Cell => cells::draw(&content.view, &state, &mut pen, rows),
    };
}

/// Draws the dashboard. Its state remembers the number of rows of the list.
pub(crate) fn draw(dashboard: &Dashboard, theme: &Theme, keys: &Bindings, area: Rect, buf: &mut Buffer) {
    let Dashboard { state, content, .. } = dashboard;
    buf.set_style(area, theme.style(StyleRole::Background));
    let mut pen = Pen { theme, area, buf };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let text = format!("the dashboard needs {}x{} cells", SMALLEST.0, SMALLEST.1);
        pen.put((0, 0), &text, StyleRole::Warn);
        return;
    }
    let top = header::draw(&content.view, &mut pen) + 1;
    let rows = top..area.height - BOTTOM;
    let details = match (state.help.get(), state.page(content)) {
        (Some(_), _) => {
            help::draw(state, keys, &mut pen, rows);
            String::new()
        }
        (None, Page::Map) => map::draw(content, state, &mut pen, rows),
        (None, Page::Table) => cells::draw(&content.view, state, &mut pen, rows),
        (None, Page::Cell) => episodes::draw(content, state, &mut pen, rows),
    };
    bottom::draw(content, state, keys, &details, &mut pen);
}
