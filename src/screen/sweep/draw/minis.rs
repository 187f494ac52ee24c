//! All maps beside each other, each small: a row per AM, a column per OM, and in each place the shade, the score and the sign of
//! the difference. The selected one has a mark, and is drawn large elsewhere.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::heat::heat_style;
use super::pen::Pen;
use crate::sweep::content::Content;
use crate::sweep::score_map::{MapSquare, PlaceContent, ScoreMap};
use crate::sweep::state::DashboardState;
use crate::sweep::view::{CellPhase, SweepView};
use mageyard_terminal::StyleRole;

/// The columns of the names of rows, and between two maps.
const NAMES: u16 = 6;
const GAP: u16 = 2;
/// The rows of the title and of the names of columns, and of the space below a map.
const HEAD: u16 = 2;
const SPACE: u16 = 1;
/// The columns that a place has besides the number: the shade, the sign of the difference, and a space.
const MARKS: u16 = 3;

/// How many digits numbers have, and the size of a map with them.
#[derive(Clone, Copy)]
struct Layout {
    decimals: usize,
    place: u16,
    width: u16,
    height: u16,
    across: usize,
}

impl Layout {
    /// The layout with these decimals: all maps have the size of the largest.
    fn with(decimals: usize, maps: &[ScoreMap], room: u16) -> Self {
        let text = |square: &MapSquare| number(square, decimals).map_or(1, |text| text.width());
        let squares = maps.iter().flat_map(|map| &map.rows).flat_map(|(_, squares)| squares);
        let place = MARKS + cells(squares.map(text).max().unwrap_or(1).max(4));
        let columns = cells(maps.iter().map(|map| map.columns.len()).max().unwrap_or(0));
        let rows = cells(maps.iter().map(|map| map.rows.len()).max().unwrap_or(0));
        let width = NAMES + columns.saturating_mul(place);
        let across = usize::from((room + GAP) / (width + GAP)).max(1);
        Self { decimals, place, width, height: HEAD + rows, across }
    }

    /// The rows of this many maps, with the space between them.
    fn rows(&self, maps: usize) -> u16 {
        cells(maps.div_ceil(self.across)).saturating_mul(self.height + SPACE)
    }
}

/// The layout with the most digits with which all maps fit into this room; else the one with the fewest.
fn layout(maps: &[ScoreMap], (width, height): (u16, u16)) -> Layout {
    let all = [2, 1, 0].map(|decimals| Layout::with(decimals, maps, width));
    all.into_iter().find(|layout| layout.rows(maps.len()) <= height).unwrap_or(all[2])
}

/// Draws as many maps as fit into these rows, around the selected one; returns the number of rows that they take. One map alone is
/// not drawn, nor what is not complete.
pub(super) fn draw(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> u16 {
    let maps = content.maps();
    let room = (pen.area.width.saturating_sub(1), rows.end.saturating_sub(rows.start));
    let layout = layout(maps, room);
    let down = usize::from(room.1 / (layout.height + SPACE));
    if maps.len() < 2 || down == 0 || layout.width > room.0 {
        return 0;
    }
    let all = maps.len().div_ceil(layout.across);
    let first = (state.map / layout.across).saturating_sub(down / 2).min(all.saturating_sub(down));
    let shown = maps.iter().enumerate().skip(first * layout.across).take(down * layout.across);
    let mut taken = 0;
    for (place, (index, map)) in shown.enumerate() {
        let column = 1 + cells(place % layout.across) * (layout.width + GAP);
        let row = cells(place / layout.across) * (layout.height + SPACE);
        taken = row + layout.height + SPACE;
        draw_map(map, index, (content, state), layout, pen, (column, rows.start + row));
    }
    taken
}

fn draw_map(
    map: &ScoreMap,
    index: usize,
    (content, state): (&Content, &DashboardState),
    layout: Layout,
    pen: &mut Pen<'_>,
    (column, row): (u16, u16),
) {
    let is_shown = index == state.map;
    let mark = if is_shown { "▸" } else { " " };
    pen.put((column - 1, row), mark, StyleRole::Key);
    let role = if is_shown { StyleRole::TitleFocus } else { StyleRole::Dim };
    pen.put_within((column, row), &short_name(map, content.maps()), layout.width, role);
    for (at, name) in (0..).zip(&map.columns) {
        pen.put_within((column + NAMES + at * layout.place, row + 1), name, layout.place, StyleRole::Heading);
    }
    for (line, (at, (name, squares))) in (row + HEAD..).zip(map.rows.iter().enumerate()) {
        pen.put_within((column, line), name, NAMES, StyleRole::Heading);
        for (across, square) in squares.iter().enumerate() {
            let is_selected = is_shown && state.place == (at, across);
            let place = (column + NAMES + cells(across) * layout.place, line);
            draw_square(square, &content.view, layout, pen, place, is_selected);
        }
    }
}

fn draw_square(
    square: &MapSquare,
    view: &SweepView,
    layout: Layout,
    pen: &mut Pen<'_>,
    (column, row): (u16, u16),
    is_selected: bool,
) {
    let width = layout.place - 1;
    let (text, style) = match &square.content {
        PlaceContent::Score(score) => {
            let shade = if score.shade == ' ' { '·' } else { score.shade };
            let sign = match score.sign {
                sign @ ('▲' | '▼' | '◇') => sign,
                _ => ' ',
            };
            let number = number(square, layout.decimals).unwrap_or_default();
            (format!("{shade}{number}{sign}"), heat_style(pen.theme, score.shade, StyleRole::Text))
        }
        PlaceContent::NoScore => {
            let state = square.cells.iter().filter_map(|cell| view.cells.get(*cell)).map(|cell| cell.state);
            let state = state.min().unwrap_or(CellPhase::Queued);
            (format!(" {}", state.sign()), pen.theme.style(state.role()))
        }
        PlaceContent::Struck(_) => ("╱".repeat(width.into()), pen.theme.style(StyleRole::Dim)),
        PlaceContent::Absent => (" –".to_owned(), pen.theme.style(StyleRole::Dim)),
    };
    let style = if is_selected { pen.theme.style(StyleRole::Cursor) } else { style };
    let padding = " ".repeat(usize::from(width).saturating_sub(text.width()));
    pen.put_styled((column, row), &format!("{text}{padding}"), width, style);
    if is_selected {
        pen.underline((column, row));
    }
}

/// What tells a map from the others: its name without the parts that all have.
fn short_name(map: &ScoreMap, maps: &[ScoreMap]) -> String {
    let is_shared = |part: &&str| maps.iter().all(|other| other.name.split(", ").any(|known| known == *part));
    let own: Vec<&str> = map.name.split(", ").filter(|part| !is_shared(part)).collect();
    if own.is_empty() { map.name.clone() } else { own.join(", ") }
}

/// The score of a place with this many decimals.
fn number(square: &MapSquare, decimals: usize) -> Option<String> {
    match &square.content {
        PlaceContent::Score(score) => Some(format!("{:.decimals$}", score.mean)),
        PlaceContent::NoScore | PlaceContent::Struck(_) | PlaceContent::Absent => None,
    }
}

fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
