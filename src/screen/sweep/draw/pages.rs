//! The pages between the counts and the keys. On wide screens what happens now is beside the maps and the table, and on high ones
//! the table is below the maps.

use std::ops::Range;

use super::pen::Pen;
use super::running::Shown;
use super::{cells, episodes, incidents, map, minis, running, side, verdict};
use crate::sweep::content::Content;
use crate::sweep::page::Page;
use crate::sweep::score_map::ScoreMap;
use crate::sweep::state::DashboardState;

/// From this width on something is beside the maps and the table, and its columns: a share of all in percent, and the fewest.
const WIDE: u16 = 110;
const SIDE: (u16, u16) = (34, 40);
/// The most rows of the verdict where a map needs the others.
const VERDICT_ROWS: u16 = 3;
/// The least columns of a card on the page of what happens now.
const CARD: u16 = 46;
/// The fewest rows of a table below the maps.
const TABLE_ROWS: u16 = 5;

/// Whether something is beside the maps in this width.
pub(crate) fn has_side(width: u16) -> bool {
    width >= WIDE
}

/// Draws the page that is shown; returns the details of what is selected.
pub(super) fn draw(
    content: &Content,
    state: &DashboardState,
    has_frames: bool,
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) -> String {
    let page = state.page(content);
    if page == Page::Cell {
        return episodes::draw(content, state, pen, rows.start + 1..rows.end);
    }
    let rows = draw_verdict(content, state, pen, rows);
    if page == Page::Activity {
        return draw_activity(content, state, has_frames, pen, rows);
    }
    if !has_side(pen.area.width) {
        return draw_main(content, state, pen, rows);
    }
    let side = (pen.area.width * SIDE.0 / 100).max(SIDE.1);
    let main = pen.area.width - side - 1;
    let details = draw_main(content, state, &mut pen.columns(0, main), rows.clone());
    side::draw(content, state, (&details, has_frames), &mut pen.columns(main + 1, side), rows);
    String::new()
}

/// Draws the verdict with an empty row above or below it; returns the rows that are left.
fn draw_verdict(
    content: &Content,
    state: &DashboardState,
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) -> Range<u16> {
    let least = content.maps().get(state.map).map_or(TABLE_ROWS, least_rows);
    let spare = (rows.end - rows.start).saturating_sub(least + 1).min(VERDICT_ROWS);
    let drawn = verdict::draw(content, state, pen, rows.start..rows.start + spare);
    rows.start + drawn + 1..rows.end
}

/// Draws the maps or the table.
fn draw_main(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    match state.page(content) {
        Page::Map => draw_maps(content, state, pen, rows),
        Page::Table | Page::Activity | Page::Cell => cells::draw(content, state, pen, rows),
    }
}

/// Draws all maps small, the selected one large, and the table below where there is room for it.
fn draw_maps(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    let Some(map) = content.maps().get(state.map) else { return String::new() };
    let least = least_rows(map);
    let room = rows.end - rows.start;
    let minis = minis::draw(content, state, pen, rows.start..rows.end - least.min(room));
    let top = rows.start + minis;
    let left = rows.end - top;
    // The highest map below which there is room for the table.
    let with_table = map::heights(map).into_iter().find(|height| left >= height + 1 + TABLE_ROWS);
    let end = with_table.map_or(rows.end, |height| top + height);
    let details = map::draw(content, state, pen, top..end);
    if with_table.is_some() {
        cells::draw_table(content, state, pen, end + 1..rows.end);
    }
    details
}

/// The fewest rows in which a map is complete.
fn least_rows(map: &ScoreMap) -> u16 {
    map::heights(map).into_iter().min().unwrap_or_default()
}

/// Draws running episodes, and below them failures and retries.
fn draw_activity(
    content: &Content,
    state: &DashboardState,
    has_frames: bool,
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) -> String {
    let view = &content.view;
    let failures = u16::try_from(view.incidents.len() * 2 + 3).unwrap_or(u16::MAX);
    let failures = failures.min((rows.end - rows.start) / 2);
    let shown = Shown { selected: Some(state.running), has_frames, width: CARD };
    let (used, cards) = running::draw(view, &shown, pen, rows.start..rows.end - failures);
    state.rows.set(cards);
    incidents::draw(view, pen, rows.start + used + 1..rows.end);
    let cell = view.running.get(state.running).and_then(|episode| view.cells.get(episode.cell));
    cell.map_or_else(String::new, |cell| cell.name.clone())
}
