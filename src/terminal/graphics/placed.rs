//! Pictures on the screen, and which of their cells are visible once everything is drawn.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::cell_grid::CellPicture;

/// The text of a cell that shows a part of the first picture until the layer has seen the finished screen; those of the
/// next pictures follow. What is drawn over a picture replaces it. They are private characters that hostile text cannot
/// contain, because such text is made visible.
const FIRST_MARK: u32 = 0x10_f000;
/// The most pictures on a screen.
const MOST_PICTURES: u32 = 0x0f00;

/// A picture on the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedPicture<'a> {
    pub(crate) picture: &'a Arc<CellPicture>,
    pub(crate) area: Rect,
}

/// A cell of the finished screen that shows a part of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WantedCell {
    /// Where it is on the screen.
    pub(super) at: Position,
    /// The index of the picture.
    pub(super) number: usize,
    /// Which part it is.
    pub(super) part: Position,
    /// The hash of its pixels.
    pub(super) hash: u64,
}

/// What a finished screen needs beside its text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LayerUpdate {
    /// The sequences to send after the text.
    pub(crate) sequences: String,
    /// Whether changed cells are left for the next time.
    pub(crate) rest: bool,
    /// Whether cells are left until their pixels are encoded.
    pub(crate) is_late: bool,
    /// The indices of the pictures that could not be encoded, and why. Their cells are blank.
    pub(crate) failed: Vec<(usize, String)>,
}

/// The visible cells of all pictures, each row from the left, which become blank.
pub(super) fn wanted_cells(pictures: &[PlacedPicture<'_>], buffer: &mut Buffer) -> Vec<WantedCell> {
    let mut wanted = Vec::new();
    for (number, placed) in pictures.iter().enumerate() {
        let Some(mark) = mark_of(number) else { continue };
        for at in placed.area.intersection(buffer.area).positions() {
            let Some(cell) = buffer.cell_mut(at) else { continue };
            if !cell.symbol().starts_with(mark) {
                continue;
            }
            cell.set_symbol(" ");
            let part = Position { x: at.x - placed.area.x, y: at.y - placed.area.y };
            wanted.extend(placed.picture.hash(part).map(|hash| WantedCell { at, number, part, hash }));
        }
    }
    wanted
}

/// Leaves at most so many cells that do not show what they should; the others keep what they show, or stay blank. Returns
/// whether there are others.
pub(super) fn defer(
    wanted: &mut Vec<WantedCell>,
    most: usize,
    shown: impl Fn(Position) -> Option<u64>,
) -> bool {
    let mut changed = 0;
    wanted.retain_mut(|cell| {
        let before = shown(cell.at);
        changed += usize::from(before != Some(cell.hash));
        if changed <= most || before == Some(cell.hash) {
            return true;
        }
        cell.hash = before.unwrap_or(cell.hash);
        before.is_some()
    });
    changed > most
}

/// The character that marks the cells of the picture with this index until the screen is finished.
pub(super) fn mark_of(number: usize) -> Option<char> {
    let number = u32::try_from(number).ok().filter(|number| *number < MOST_PICTURES)?;
    char::from_u32(FIRST_MARK + number)
}
