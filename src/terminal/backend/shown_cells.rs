//! What the cells of the terminal show, as far as it is known: a short gap between two changes costs fewer bytes if its
//! cells are written again than if the cursor moves over them.

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use unicode_width::UnicodeWidthStr;

use super::cell_style::{CellStyle, PLAIN};

/// A cell with one narrow character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShownCell {
    pub(super) letter: char,
    pub(super) style: CellStyle,
}

/// A cell that was cleared.
const BLANK: ShownCell = ShownCell { letter: ' ', style: PLAIN };

/// The cells of a terminal since it was cleared, row by row; those that are not known are `None`, and those that are
/// not listed are blank.
#[derive(Debug, Default)]
pub(super) struct ShownCells(Vec<Vec<Option<ShownCell>>>);

impl ShownCells {
    /// The terminal was cleared.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What a cell shows.
    pub(super) fn at(&self, at: Position) -> Option<ShownCell> {
        let row = self.0.get(usize::from(at.y));
        *row.and_then(|row| row.get(usize::from(at.x))).unwrap_or(&Some(BLANK))
    }

    /// A cell was written.
    pub(super) fn write(&mut self, at: Position, cell: &Cell) {
        let mut letters = cell.symbol().chars();
        let first = letters.next();
        let is_single = letters.next().is_none();
        let width = cell.symbol().width();
        let letter = first.filter(|_| is_single && width == 1);
        self.set(at, letter.map(|letter| ShownCell { letter, style: CellStyle::of(cell) }));
        if width > 1 {
            self.forget(Position { x: at.x + 1, y: at.y });
        }
    }

    /// What a cell shows is not known, because something else than cells was drawn there.
    pub(super) fn forget(&mut self, at: Position) {
        self.set(at, None);
    }

    fn set(&mut self, at: Position, cell: Option<ShownCell>) {
        let x = usize::from(at.x);
        let y = usize::from(at.y);
        if self.0.len() <= y {
            self.0.resize_with(y + 1, Vec::new);
        }
        let row = &mut self.0[y];
        if row.len() <= x {
            row.resize(x + 1, Some(BLANK));
        }
        row[x] = cell;
    }
}
