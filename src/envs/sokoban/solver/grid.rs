//! Sets of cells in one word, a bit for each square of the bounding rectangle of the maze. All cells of a
//! set advance at once, so a flood fill takes one operation per step of distance.

use super::super::board::{Ground, Square};

/// A cell's number, from 0.
pub(super) type Cell = u16;
/// A set of cells.
pub(super) type CellSet = u128;

pub(super) struct Grid {
    /// The bit of each cell; ascending, as cells are.
    bits: Vec<u8>,
    /// The cell of each bit.
    cells: Vec<Cell>,
    width: u32,
    /// Squares with a left neighbour, and squares with a right neighbour.
    not_first: CellSet,
    not_last: CellSet,
    /// Every cell.
    pub(super) all: CellSet,
}

impl Grid {
    /// The grid of these squares, in ascending order; `None` if a word is too short.
    pub(super) fn new(ground: &Ground, squares: &[Square]) -> Option<Self> {
        let columns = || squares.iter().map(|square| square % ground.columns);
        let left = columns().min()?;
        let right = columns().max()?;
        let top = squares.first()? / ground.columns;
        let bottom = squares.last()? / ground.columns;
        let width = right - left + 1;
        let size = u32::from(width) * u32::from(bottom - top + 1);
        if size > CellSet::BITS {
            return None;
        }
        let bit = |square: &Square| (square / ground.columns - top) * width + square % ground.columns - left;
        let bits: Vec<u8> =
            squares.iter().map(|square| u8::try_from(bit(square)).unwrap_or(u8::MAX)).collect();
        let mut cells = vec![0; CellSet::BITS as usize];
        let mut all = 0;
        for (cell, bit) in (0..).zip(&bits) {
            cells[usize::from(*bit)] = cell;
            all |= 1 << bit;
        }
        let column = |at: u16| {
            (0..CellSet::BITS)
                .filter(|bit| bit % u32::from(width) == u32::from(at))
                .fold(0, |set, bit| set | 1 << bit)
        };
        let not_first = !column(0);
        let not_last = !column(width - 1);
        Some(Self { bits, cells, width: u32::from(width), not_first, not_last, all })
    }

    /// The set of one cell.
    pub(super) fn set(&self, cell: Cell) -> CellSet {
        1 << self.bits[usize::from(cell)]
    }

    /// The neighbours of a set.
    pub(super) fn beside(&self, set: CellSet) -> CellSet {
        // A grid of one row may be as wide as the word.
        let down = set.checked_shl(self.width);
        let up = set.checked_shr(self.width);
        (set << 1 & self.not_first) | (set >> 1 & self.not_last) | down.unwrap_or(0) | up.unwrap_or(0)
    }

    /// The cells reachable from a set within `free`.
    pub(super) fn fill(&self, from: CellSet, free: CellSet) -> CellSet {
        let mut set = from;
        let mut edge = from;
        while edge != 0 {
            edge = self.beside(edge) & free & !set;
            set |= edge;
        }
        set
    }

    /// The cells of a set, in ascending order.
    pub(super) fn iter(&self, mut set: CellSet) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            let cell = self.cells.get(set.trailing_zeros() as usize).copied()?;
            set &= set - 1;
            Some(cell)
        })
    }
}
