//! A grid of symbols with meanings. What is outside of it is not drawn.

use unicode_width::UnicodeWidthChar;

use super::CellRole;
use crate::sanitize;

/// The symbol of a cell that a wide symbol before it covers.
pub const SECOND_COLUMN: char = '\0';

/// A cell of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnCell {
    /// A character of one or two columns, or [`SECOND_COLUMN`].
    pub symbol: char,
    /// What it means.
    pub role: CellRole,
}

impl DrawnCell {
    const BLANK: Self = Self { symbol: ' ', role: CellRole::Text };
}

/// The cells of a drawing, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGrid {
    columns: usize,
    cells: Vec<DrawnCell>,
}

impl CellGrid {
    /// Blank cells.
    pub fn new(columns: u16, rows: u16) -> Self {
        let columns = usize::from(columns);
        Self { columns, cells: vec![DrawnCell::BLANK; columns * usize::from(rows)] }
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[DrawnCell]> {
        // A grid without columns has no cells either.
        self.cells.chunks(self.columns.max(1))
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let x = usize::try_from(x).ok().filter(|x| *x < self.columns)?;
        let start = usize::try_from(y).ok()?.checked_mul(self.columns)?;
        Some(start + x).filter(|at| *at < self.cells.len())
    }

    /// The cell in this column and row, if it is within the grid.
    pub fn get(&self, x: i32, y: i32) -> Option<DrawnCell> {
        self.index(x, y).and_then(|at| self.cells.get(at)).copied()
    }

    /// Puts a symbol of one column into a cell. A wide or hidden one is not drawn.
    pub fn put(&mut self, x: i32, y: i32, symbol: char, role: CellRole) {
        if symbol.width() == Some(1) {
            self.set(x, y, symbol, role);
        }
    }

    fn set(&mut self, x: i32, y: i32, symbol: char, role: CellRole) {
        let Some(at) = self.index(x, y) else { return };
        self.separate(x, y);
        self.cells[at] = DrawnCell { symbol, role };
    }

    /// Blanks the other half of a wide symbol at this cell.
    fn separate(&mut self, x: i32, y: i32) {
        let is_second = |cell: Option<DrawnCell>| cell.is_some_and(|cell| cell.symbol == SECOND_COLUMN);
        let other = if is_second(self.get(x, y)) {
            x - 1
        } else if is_second(self.get(x + 1, y)) {
            x + 1
        } else {
            return;
        };
        if let Some(at) = self.index(other, y) {
            self.cells[at] = DrawnCell::BLANK;
        }
    }

    /// Writes a line of text into at most `width` columns from a cell on; text that does not fit ends with `…`. Characters
    /// that could control a terminal are shown by visible ones, and those without a column are left out.
    pub fn write(&mut self, (x, y): (i32, i32), width: i32, text: &str, role: CellRole) {
        let shown = sanitize(text);
        let line = shown.split('\n').next().unwrap_or_default();
        let columns =
            |c: char| i32::try_from(if c == '\t' { 1 } else { c.width().unwrap_or(0) }).unwrap_or(0);
        let total: i32 = line.chars().map(columns).fold(0, i32::saturating_add);
        let is_cut = total > width;
        let room = if is_cut { width - 1 } else { width };
        let mut at = 0;
        for c in line.chars() {
            let wide = columns(c);
            if at + wide > room {
                break;
            }
            self.write_character(x.saturating_add(at), y, c, role);
            at += wide;
        }
        if is_cut && width > 0 {
            self.set(x.saturating_add(at), y, '…', role);
        }
    }

    fn write_character(&mut self, x: i32, y: i32, c: char, role: CellRole) {
        match c.width() {
            _ if c == '\t' => self.set(x, y, ' ', role),
            Some(1) => self.set(x, y, c, role),
            // Half of a wide symbol outside of the grid leaves the other half blank.
            Some(2) if self.index(x, y).is_none() || self.index(x.saturating_add(1), y).is_none() => {
                self.set(x, y, ' ', role);
                self.set(x.saturating_add(1), y, ' ', role);
            }
            Some(2) => {
                self.set(x, y, c, role);
                self.set(x.saturating_add(1), y, ' ', role);
                if let Some(at) = self.index(x.saturating_add(1), y) {
                    self.cells[at].symbol = SECOND_COLUMN;
                }
            }
            _ => {}
        }
    }

    /// The symbols, a line for each row, without blanks at their ends.
    pub fn text(&self) -> String {
        let line = |row: &[DrawnCell]| {
            let symbols = row.iter().map(|cell| cell.symbol).filter(|symbol| *symbol != SECOND_COLUMN);
            let line: String = symbols.collect();
            line.trim_end().to_owned() + "\n"
        };
        self.rows().map(line).collect()
    }
}
