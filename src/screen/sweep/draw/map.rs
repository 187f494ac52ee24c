//! The page of a map: a place for each AM and OM, around the selected one if not all fit.

use std::ops::Range;

use super::pen::Pen;
use super::place::{draw_place, episodes};
use crate::sweep::content::Content;
use crate::sweep::score_map::{MapSquare, PlaceContent, ScoreMap};
use crate::sweep::state::DashboardState;
use crate::sweep::view::SweepView;
use mageyard_terminal::StyleRole;

/// Columns of the names of rows.
const NAMES: u16 = 8;
/// The widest and the narrowest place, and the columns between two.
const WIDTHS: (u16, u16) = (28, 12);
const GAP: u16 = 2;
/// The title, the names of columns and the legend.
const HEAD: u16 = 3;
/// Heights of places with the rows between them, from what is best.
const HEIGHTS: [(u16, u16); 4] = [(3, 1), (3, 0), (2, 0), (1, 0)];

/// What the signs and shades are.
const LEGEND: &str = "low · ░ ▒ ▓ █ high   ◇ reference  ≈ inside noise of it  ▲ higher  ▼ lower  ? too few pairs  × cannot be played";
/// The same for narrow screens.
const SHORT_LEGEND: &str = "low·░▒▓█high ◇ reference ≈ noise ▲▼ differs ? few × illegal";

/// The columns or rows of a map that are shown, and how large each is.
struct Span {
    first: usize,
    count: usize,
    size: u16,
    gap: u16,
}

impl Span {
    /// The start of the one with this index.
    fn start(&self, index: usize) -> u16 {
        u16::try_from(index - self.first).unwrap_or(0) * (self.size + self.gap)
    }

    fn shown(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// The rows of a map with its title, the names of columns and the legend, from the best heights of its places to the least.
pub(super) fn heights(map: &ScoreMap) -> [u16; HEIGHTS.len()] {
    let rows = u16::try_from(map.rows.len()).unwrap_or(u16::MAX);
    HEIGHTS.map(|(size, gap)| rows.saturating_mul(size + gap).saturating_sub(gap).saturating_add(HEAD))
}

/// Draws the map; returns the details of the selected place.
pub(super) fn draw(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    let Some(map) = content.maps().get(state.map) else { return String::new() };
    draw_title(map, (state.map, content.maps().len()), pen, rows.start);
    let legend = if pen.area.width < 112 { SHORT_LEGEND } else { LEGEND };
    pen.put((1, rows.end - 1), legend, StyleRole::Dim);
    let head = rows.start + 1;
    let top = head + 1;
    let across = across(map.columns.len(), state.place.1, pen.area.width.saturating_sub(NAMES + 1));
    let down = down(map.rows.len(), state.place.0, (rows.end - 1).saturating_sub(top));
    for column in across.shown() {
        let name = map.columns.get(column).map_or("", String::as_str);
        pen.put_within((NAMES + across.start(column), head), name, across.size, StyleRole::Heading);
    }
    for row in down.shown() {
        let Some((name, places)) = map.rows.get(row) else { continue };
        let line = top + down.start(row);
        pen.put_within((1, line), name, NAMES - 1, StyleRole::Heading);
        for column in across.shown() {
            let Some(place) = places.get(column) else { continue };
            let at = (NAMES + across.start(column), line);
            let is_selected = state.place == (row, column);
            draw_place(place, &content.view, pen, at, (across.size, down.size), is_selected);
        }
    }
    map.place(state.place).map_or_else(String::new, |place| details(place, map, content, state))
}

fn draw_title(map: &ScoreMap, (index, count): (usize, usize), pen: &mut Pen<'_>, row: u16) {
    let mut column = pen.put((1, row), "Score by AM and OM", StyleRole::Title);
    if !map.name.is_empty() {
        column = pen.put((column, row), &format!("  {}", map.name), StyleRole::TitleFocus);
    }
    if count > 1 {
        column = pen.put((column, row), &format!("  map {} of {count}", index + 1), StyleRole::Dim);
    }
    if !map.baselines.is_empty() {
        pen.put((column, row), &format!("   {}", map.baselines), StyleRole::Dim);
    }
}

/// The columns that fit, as wide as they can be.
fn across(count: usize, selected: usize, room: u16) -> Span {
    let all = u16::try_from(count.max(1)).unwrap_or(u16::MAX);
    let wide = ((room + GAP) / all).saturating_sub(GAP);
    let size = wide.clamp(WIDTHS.1, WIDTHS.0);
    window(count, selected, usize::from((room + GAP) / (size + GAP)), (size, GAP))
}

/// The rows that fit, as high as they can be.
fn down(count: usize, selected: usize, room: u16) -> Span {
    let all = u16::try_from(count).unwrap_or(u16::MAX);
    let fits = |(size, gap): &&(u16, u16)| all.saturating_mul(size + gap) <= room + gap;
    let (size, gap) = HEIGHTS.iter().find(fits).copied().unwrap_or((1, 0));
    window(count, selected, usize::from((room + gap) / (size + gap)), (size, gap))
}

/// As many as fit, around the selected one.
fn window(count: usize, selected: usize, fitting: usize, (size, gap): (u16, u16)) -> Span {
    let fitting = fitting.max(1).min(count);
    let first = selected.saturating_sub(fitting / 2).min(count - fitting);
    Span { first, count: fitting, size, gap }
}

/// How far a place without a score is: its finished episodes may not have been read yet.
fn without_score(place: &MapSquare, view: &SweepView) -> String {
    match episodes(place, view) {
        (0, _) => "no episode is finished".to_owned(),
        (finished, planned) => {
            format!("{finished} of {planned} episodes are finished, their scores are being read")
        }
    }
}

/// What is at the selected place, in one line.
fn details(place: &MapSquare, map: &ScoreMap, content: &Content, state: &DashboardState) -> String {
    let row = map.rows.get(state.place.0).map_or("", |(name, _)| name.as_str());
    let column = map.columns.get(state.place.1).map_or("", String::as_str);
    let cells = place.cells.iter().filter_map(|index| content.view.cells.get(*index));
    let notes: Vec<&str> = cells.map(|cell| cell.note.as_str()).filter(|note| !note.is_empty()).collect();
    let what = match &place.content {
        PlaceContent::Score(score) => score.details.clone(),
        PlaceContent::NoScore => without_score(place, &content.view),
        PlaceContent::Struck(reason) => format!("struck out: {reason}"),
        PlaceContent::Absent => "the sweep does not have this window".to_owned(),
    };
    let several = match place.cells.len() {
        0 | 1 => String::new(),
        count => format!("; {count} cells, the table has all of them"),
    };
    let notes = notes.first().map_or_else(String::new, |note| format!("; {note}"));
    format!("{row}, {column}: {what}{several}{notes}")
}
