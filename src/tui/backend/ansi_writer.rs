//! Writes cells as escape sequences and tracks the cursor and style that the terminal has after them.

use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use unicode_width::UnicodeWidthStr;

use super::cell_style::CellStyle;
use super::cell_style::PLAIN;
use super::cell_style::cheapest;
use super::sgr::style_change;

/// The output so far, and the style and cursor position of the terminal after it.
pub(super) struct AnsiWriter {
    style: CellStyle,
    /// The cursor position; unknown after a symbol whose width differs between terminals.
    at: Option<Position>,
    codes: String,
    text: String,
}

impl AnsiWriter {
    pub(super) fn new() -> Self {
        Self { style: PLAIN, at: None, codes: String::new(), text: String::new() }
    }

    pub(super) fn write_cell(&mut self, at: Position, cell: &Cell) {
        self.move_to(at);
        let (symbol, style) = cheapest(cell.symbol(), CellStyle::of(cell), self.style);
        self.set_style(style);
        self.text.push_str(symbol);
        let narrow = symbol.chars().count() == 1 && symbol.width() == 1;
        self.at = narrow.then_some(Position { x: at.x + 1, y: at.y });
    }

    fn move_to(&mut self, to: Position) {
        match self.at {
            Some(at) if at == to => {}
            Some(at) if at.y == to.y && at.x + 1 == to.x => self.text.push_str("\x1b[C"),
            Some(at) if at.y == to.y && at.x < to.x => self.push(format_args!("\x1b[{}C", to.x - at.x)),
            _ => self.push(format_args!("\x1b[{};{}H", to.y + 1, to.x + 1)),
        }
    }

    /// Changes to a style with one sequence for all differences.
    fn set_style(&mut self, wanted: CellStyle) {
        if wanted == self.style {
            return;
        }
        self.codes.clear();
        style_change(&mut self.codes, self.style, wanted);
        self.style = wanted;
        let codes = std::mem::take(&mut self.codes);
        self.push(format_args!("\x1b[{}m", codes.trim_end_matches(';')));
        self.codes = codes;
    }

    /// The output, ending with a reset so that the style does not leak into other output.
    pub(super) fn finish(&mut self) -> &str {
        if self.style != PLAIN {
            self.text.push_str("\x1b[m");
        }
        &self.text
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }
}
