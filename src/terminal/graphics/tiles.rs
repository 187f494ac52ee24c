//! Pictures by Kitty's protocol in terminals without placeholder cells, such as Zellij: each is placed at the cursor and
//! stays until it is deleted. They are cut into tiles, so that a change sends few pixels. A cell belongs to one tile at
//! most; a tile of which a cell changes, or is covered, is deleted, and its other cells are sent again.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::{Position, Rect};

use super::cell_grid::rectangles;
use super::patch::{NoBytes, Patch, PatchSource};
use super::placed::{LayerUpdate, PlacedPicture, WantedCell};
use super::{GraphicsProtocol, kitty};

/// The most columns and rows of a tile.
const COLUMNS: u16 = 16;
const ROWS: u16 = 8;

/// The tiles that the terminal shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiles {
    /// The cells of each tile, by its number.
    placed: HashMap<u32, Vec<Position>>,
    /// The hash of what each cell shows.
    shown: HashMap<Position, u64>,
    /// The tiles that the terminal may still have although its screen was cleared.
    forgotten: Vec<u32>,
    /// The number of the last tile.
    last: u32,
}

impl Tiles {
    /// The terminal was cleared.
    pub(super) fn clear(&mut self) {
        self.forgotten.extend(self.placed.drain().map(|(id, _)| id));
        self.shown.clear();
    }

    /// The hash of the pixels that a cell shows.
    pub(super) fn shown_at(&self, at: Position) -> Option<u64> {
        self.shown.get(&at).copied()
    }

    /// Places tiles over the cells that do not show what they should, and then deletes those that they replace.
    pub(super) fn place(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        wanted: &[WantedCell],
        source: &mut dyn PatchSource,
        buffer: &mut Buffer,
    ) -> LayerUpdate {
        let mut update = LayerUpdate::default();
        let replaced = self.take_outdated(wanted);
        for (number, placed) in pictures.iter().enumerate() {
            let mine: HashSet<Position> =
                wanted.iter().filter(|cell| cell.number == number).map(|cell| cell.part).collect();
            let is_open =
                |part: Position| mine.contains(&part) && !self.shown.contains_key(&on_screen(placed, part));
            let parts = rectangles(placed.area.as_size(), is_open);
            match self.add(*placed, parts.into_iter().flat_map(tiles_of), source) {
                Ok((sequences, is_late)) => {
                    update.sequences.push_str(&sequences);
                    update.is_late |= is_late;
                }
                Err(why) => update.failed.push((number, why)),
            }
        }
        for cell in wanted.iter().filter(|cell| self.shown.contains_key(&cell.at)) {
            if let Some(cell) = buffer.cell_mut(cell.at) {
                cell.set_diff_option(CellDiffOption::Skip);
            }
        }
        update.sequences.extend(replaced.into_iter().map(kitty::delete));
        if !update.sequences.is_empty() {
            update.sequences = format!("\x1b7{}\x1b8", update.sequences);
        }
        update
    }

    /// Takes out the tiles that show something else than they should, in order.
    fn take_outdated(&mut self, wanted: &[WantedCell]) -> Vec<u32> {
        let hashes: HashMap<Position, u64> = wanted.iter().map(|cell| (cell.at, cell.hash)).collect();
        let is_right = |at: &Position| hashes.get(at).is_some_and(|hash| self.shown.get(at) == Some(hash));
        let outdated = self.placed.iter().filter(|(_, cells)| !cells.iter().all(is_right));
        let mut outdated: Vec<u32> = outdated.map(|(id, _)| *id).collect();
        outdated.sort_unstable();
        for at in outdated.iter().filter_map(|id| self.placed.remove(id)).flatten() {
            self.shown.remove(&at);
        }
        self.forgotten.drain(..).chain(outdated).collect()
    }

    /// The sequences that place these tiles of a picture, and whether others come later.
    fn add(
        &mut self,
        placed: PlacedPicture<'_>,
        tiles: impl Iterator<Item = Rect>,
        source: &mut dyn PatchSource,
    ) -> Result<(String, bool), String> {
        let mut sequences = String::new();
        let mut is_late = false;
        for tile in tiles {
            let patch = Patch::of_part(GraphicsProtocol::KittyTiles, placed.picture, tile);
            let data = match source.bytes(&patch) {
                Ok(data) => data,
                Err(NoBytes::Failed(why)) => return Err(why),
                Err(NoBytes::Later) => {
                    is_late = true;
                    continue;
                }
            };
            self.last = self.last % kitty::MOST_TILES + 1;
            let start = on_screen(&placed, tile.as_position());
            // Writing to a string cannot fail.
            let _ = write!(sequences, "\x1b[{};{}H", start.y + 1, start.x + 1);
            sequences.push_str(&kitty::place(self.last, &data, tile.as_size()));
            let cells = tile.positions().map(|part| on_screen(&placed, part)).collect();
            self.placed.insert(self.last, cells);
            let hash = |part| Some((on_screen(&placed, part), placed.picture.hash(part)?));
            self.shown.extend(tile.positions().filter_map(hash));
        }
        Ok((sequences, is_late))
    }

    /// The sequences that delete all tiles.
    pub(super) fn leave(&mut self) -> String {
        self.clear();
        self.forgotten.sort_unstable();
        self.forgotten.drain(..).map(kitty::delete).collect()
    }
}

/// Where a cell of a picture is on the screen.
fn on_screen(placed: &PlacedPicture<'_>, part: Position) -> Position {
    Position { x: placed.area.x + part.x, y: placed.area.y + part.y }
}

/// A rectangle cut into tiles.
fn tiles_of(whole: Rect) -> impl Iterator<Item = Rect> {
    let rows = (whole.top()..whole.bottom()).step_by(usize::from(ROWS));
    rows.flat_map(move |y| {
        let columns = (whole.left()..whole.right()).step_by(usize::from(COLUMNS));
        columns.map(move |x| Rect::new(x, y, COLUMNS, ROWS).intersection(whole))
    })
}
