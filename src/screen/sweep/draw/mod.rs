//! Draws the dashboard: counts, progress and the verdict, then maps, the table of cells, what happens now, the episodes of a cell or
//! the help, then the keys. Wide screens have more of it side by side.

mod bottom;
mod cells;
mod episodes;
mod header;
mod heat;
mod help;
mod incidents;
mod limits;
mod map;
mod minis;
mod pages;
mod pen;
mod place;
mod running;
mod side;
mod table;
mod verdict;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) use self::pages::has_side;
use self::pen::Pen;
use super::content::Content;
use super::dashboard::Dashboard;
use super::page::Page;
use super::state::DashboardState;
use super::view::CellPhase;
use crate::keymap::Bindings;
use mageyard_terminal::{StyleRole, Theme};

/// The smallest size that is drawn.
const SMALLEST: (u16, u16) = (60, 16);
/// The fewest rows of a map or a table in a preview.
const MAP_ROWS: u16 = 4;
/// The rows below the content: the details of what is selected, a remark, and the keys.
const BOTTOM: u16 = 3;

/// What a dashboard is drawn with.
#[derive(Clone, Copy)]
pub(crate) struct DashboardLook<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) keys: &'a Bindings,
    /// What was said since the last key; a remark of the dashboard comes first.
    pub(crate) notice: Option<&'a str>,
    /// Whether frames of running episodes are drawn; on a slow link they are not.
    pub(crate) has_frames: bool,
}

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
        Page::Table | Page::Activity | Page::Cell => cells::draw(content, &state, &mut pen, rows),
    };
}

/// Draws the dashboard. Its state remembers the number of rows of the list.
pub(crate) fn draw(dashboard: &Dashboard, look: &DashboardLook<'_>, area: Rect, buf: &mut Buffer) {
    let Dashboard { state, content, .. } = dashboard;
    let DashboardLook { theme, keys, .. } = *look;
    buf.set_style(area, theme.style(StyleRole::Background));
    let mut pen = Pen { theme, area, buf };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let text = format!("the dashboard needs {}x{} cells", SMALLEST.0, SMALLEST.1);
        pen.put((0, 0), &text, StyleRole::Warn);
        return;
    }
    let top = header::draw(&content.view, &mut pen);
    let rows = top..area.height - BOTTOM;
    let details = if state.help.get().is_some() {
        help::draw(state, keys, &mut pen, top + 1..rows.end);
        String::new()
    } else {
        pages::draw(content, state, look.has_frames, &mut pen, rows)
    };
    bottom::draw(content, state, (look, &details), &mut pen);
}
