//! Lines of a drawing: those that meet are joined.

use super::{CellGrid, CellRole};

/// The symbols of lines, by the sides of a cell that they reach: left 1, right 2, up 4, down 8.
const SYMBOLS: [char; 16] = [' ', '╴', '╶', '─', '╵', '┘', '└', '┴', '╷', '┐', '┌', '┬', '│', '┤', '├', '┼'];
const LEFT: usize = 1;
const RIGHT: usize = 2;
const UP: usize = 4;
const DOWN: usize = 8;

impl CellGrid {
    /// A line between two cells in the same row.
    pub fn horizontal(&mut self, y: i32, from: i32, to: i32, role: CellRole) {
        // A line may reach far outside.
        let last = i32::try_from(self.columns()).unwrap_or(i32::MAX);
        for x in from.max(-1)..=to.min(last) {
            let left = if x > from { LEFT } else { 0 };
            let right = if x < to { RIGHT } else { 0 };
            self.join(x, y, left | right, role);
        }
    }

    /// A line between two cells in the same column.
    pub fn vertical(&mut self, x: i32, from: i32, to: i32, role: CellRole) {
        let last = i32::try_from(self.rows().len()).unwrap_or(i32::MAX);
        for y in from.max(-1)..=to.min(last) {
            let up = if y > from { UP } else { 0 };
            let down = if y < to { DOWN } else { 0 };
            self.join(x, y, up | down, role);
        }
    }

    /// The four lines around the cells from one corner to the other.
    pub fn outline(&mut self, [left, top]: [i32; 2], [right, bottom]: [i32; 2], role: CellRole) {
        for y in [top, bottom] {
            self.horizontal(y, left, right, role);
        }
        for x in [left, right] {
            self.vertical(x, top, bottom, role);
        }
    }

    /// Adds these sides to the lines of a cell. What is not a line is replaced.
    fn join(&mut self, x: i32, y: i32, sides: usize, role: CellRole) {
        let Some(cell) = self.get(x, y) else { return };
        let before = SYMBOLS.iter().position(|symbol| *symbol == cell.symbol);
        let symbol = SYMBOLS.get(before.unwrap_or(0) | sides).copied().unwrap_or(' ');
        self.put(x, y, symbol, role);
    }
}
