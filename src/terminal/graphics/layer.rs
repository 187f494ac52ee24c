//! What a terminal with graphics shows, and the sequences that make it show something else. Only cells whose pixels have
//! changed, or that something else had covered, are sent; with Kitty's protocol (`placeholders`) only those whose pixels
//! the terminal has nowhere. A screen may have several pictures.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt::Write;

use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::{Position, Rect};

use super::GraphicsProtocol;
use super::cell_grid::{joined, rectangles};
use super::patch::{Never, NoBytes, Patch, PatchSource};
use super::placed::{LayerUpdate, PlacedPicture, WantedCell, defer, mark_of, wanted_cells};
use super::placeholders::Placeholders;
use super::tiles::Tiles;

/// The most cells that are sent again so that there is one picture less: those of Sixel have a palette of about 2 KB, and
/// those of PNG a head.
const SIXEL_SPARE: u32 = 24;
const PNG_SPARE: u32 = 1;
/// The most parts that are tried one by one too.
const MOST_PARTS: usize = 8;

/// The pictures of a terminal.
#[derive(Clone, Debug)]
pub(crate) struct PictureLayer {
    protocol: GraphicsProtocol,
    /// The hash of what each cell of the screen shows (Sixel, iTerm2).
    shown: HashMap<Position, u64>,
    /// What the terminal has and shows (Kitty).
    placeholders: Placeholders,
    /// What it shows (Kitty without placeholder cells).
    tiles: Tiles,
}

impl PictureLayer {
    /// The layer of a terminal that shows nothing yet. Inside tmux several programs may share its pictures: `owner`
    /// tells this one from others.
    pub(crate) fn new(protocol: GraphicsProtocol, in_tmux: bool, owner: u32) -> Self {
        let placeholders = Placeholders::new(in_tmux, owner);
        Self { protocol, shown: HashMap::new(), placeholders, tiles: Tiles::default() }
    }

    /// The terminal was cleared: it shows nothing.
    pub(crate) fn clear(&mut self) {
        self.shown.clear();
        self.placeholders.clear();
        self.tiles.clear();
    }

    /// Marks the cells of the picture with this index, before other things are drawn over it.
    pub(crate) fn mark(number: usize, area: Rect, buffer: &mut Buffer) {
        let Some(mark) = mark_of(number) else { return };
        for at in area.positions() {
            if let Some(cell) = buffer.cell_mut(at) {
                cell.reset();
                cell.set_char(mark);
            }
        }
    }

    /// Finishes the cells of the pictures on a finished screen, of which at most so many change. Changed cells whose
    /// bytes are not there yet keep what they show, all of them: parts of two pictures are never side by side.
    pub(crate) fn finish(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        most: usize,
        source: &mut dyn PatchSource,
        buffer: &mut Buffer,
    ) -> LayerUpdate {
        let mut wanted = wanted_cells(pictures, buffer);
        let rest = defer(&mut wanted, most, |at| self.shown_at(at));
        if source.is_immediate() || wanted.iter().all(|cell| self.shown_at(cell.at) == Some(cell.hash)) {
            return LayerUpdate { rest, ..self.place(pictures, &wanted, source, buffer) };
        }
        loop {
            let before = (self.clone(), buffer.clone());
            let update = self.place(pictures, &wanted, source, buffer);
            if !update.is_late {
                return LayerUpdate { rest, ..update };
            }
            (*self, *buffer) = before;
            if !source.fetch() {
                break;
            }
        }
        defer(&mut wanted, 0, |at| self.shown_at(at));
        LayerUpdate { is_late: true, ..self.place(pictures, &wanted, &mut Never, buffer) }
    }

    /// The hash of the pixels that a cell shows.
    fn shown_at(&self, at: Position) -> Option<u64> {
        match self.protocol {
            GraphicsProtocol::Kitty => self.placeholders.shown_at(at),
            GraphicsProtocol::KittyTiles => self.tiles.shown_at(at),
            GraphicsProtocol::Iterm2 | GraphicsProtocol::Sixel => self.shown.get(&at).copied(),
        }
    }

    fn place(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        wanted: &[WantedCell],
        source: &mut dyn PatchSource,
        buffer: &mut Buffer,
    ) -> LayerUpdate {
        match self.protocol {
            GraphicsProtocol::Kitty => self.placeholders.place(pictures, wanted, source, buffer),
            GraphicsProtocol::KittyTiles => self.tiles.place(pictures, wanted, source, buffer),
            GraphicsProtocol::Iterm2 | GraphicsProtocol::Sixel => {
                self.paint(pictures, wanted, source, buffer)
            }
        }
    }

    /// Draws over the cells whose pixels differ from what is shown.
    fn paint(
        &mut self,
        pictures: &[PlacedPicture<'_>],
        wanted: &[WantedCell],
        source: &mut dyn PatchSource,
        buffer: &mut Buffer,
    ) -> LayerUpdate {
        let before = std::mem::take(&mut self.shown);
        let mut update = LayerUpdate::default();
        for (number, placed) in pictures.iter().enumerate() {
            let cells = || wanted.iter().filter(|cell| cell.number == number);
            let hashes: HashMap<Position, u64> = cells().map(|cell| (cell.at, cell.hash)).collect();
            let place = |part: Position| Position { x: placed.area.x + part.x, y: placed.area.y + part.y };
            let changed = |part: Position| {
                let at = place(part);
                hashes.get(&at).is_some_and(|hash| before.get(&at) != Some(hash))
            };
            let parts = rectangles(placed.area.as_size(), changed);
            match self.patches(*placed, &parts, source, |part| hashes.contains_key(&place(part))) {
                Ok(sequences) => {
                    update.sequences.push_str(&sequences);
                    for at in hashes.keys() {
                        if let Some(cell) = buffer.cell_mut(*at) {
                            cell.set_diff_option(CellDiffOption::Skip);
                        }
                    }
                    self.shown.extend(hashes);
                }
                Err(NoBytes::Failed(why)) => update.failed.push((number, why)),
                Err(NoBytes::Later) => update.is_late = true,
            }
        }
        if !update.sequences.is_empty() {
            update.sequences = format!("\x1b7{}\x1b8", update.sequences);
        }
        update
    }

    /// The shortest sequences that draw these parts of a picture: one by one, or joined.
    fn patches(
        &self,
        placed: PlacedPicture<'_>,
        parts: &[Rect],
        source: &mut dyn PatchSource,
        may_draw: impl Fn(Position) -> bool,
    ) -> Result<String, NoBytes> {
        let spare = if self.protocol == GraphicsProtocol::Sixel { SIXEL_SPARE } else { PNG_SPARE };
        let whole = joined(parts.to_vec(), spare, may_draw);
        let sequences = self.patch(placed, &whole, source);
        if whole == parts || parts.len() > MOST_PARTS || matches!(sequences, Err(NoBytes::Failed(_))) {
            return sequences;
        }
        let apart = self.patch(placed, parts, source)?;
        let sequences = sequences?;
        Ok(if apart.len() < sequences.len() { apart } else { sequences })
    }

    /// The sequences that draw these parts of a picture. All of them are asked for, even if some come later.
    fn patch(
        &self,
        placed: PlacedPicture<'_>,
        parts: &[Rect],
        source: &mut dyn PatchSource,
    ) -> Result<String, NoBytes> {
        let mut sequences = Ok(String::new());
        for part in parts {
            let bytes = source.bytes(&Patch::of_part(self.protocol, placed.picture, *part));
            let row = placed.area.y + part.y + 1;
            let column = placed.area.x + part.x + 1;
            match (&mut sequences, bytes) {
                (_, Err(NoBytes::Failed(why))) => return Err(NoBytes::Failed(why)),
                (_, Err(NoBytes::Later)) => sequences = Err(NoBytes::Later),
                // Writing to a string cannot fail.
                (Ok(all), Ok(drawn)) => _ = write!(all, "\x1b[{row};{column}H{drawn}"),
                (Err(_), Ok(_)) => {}
            }
        }
        sequences
    }

    /// The sequences that free what the terminal keeps, at the end.
    pub(crate) fn leave(&mut self) -> String {
        self.shown.clear();
        self.placeholders.leave() + &self.tiles.leave()
    }
}
