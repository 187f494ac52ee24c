//! The pen that draws one cell after the other and knows what it left the terminal with.

use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use unicode_width::UnicodeWidthStr;

use super::codes::change;
use super::style::PLAIN;
use super::style::Style;
use super::style::thrifty;

/// The pen of a terminal: what it draws with and where it stands.
pub(super) struct Pen {
    style: Style,
    /// Where the next symbol falls; unknown after one whose width terminals disagree about.
    at: Option<Position>,
    codes: String,
    text: String,
}

impl Pen {
    pub(super) fn new() -> Self {
        Self { style: PLAIN, at: None, codes: String::new(), text: String::new() }
    }

    pub(super) fn cell(&mut self, at: Position, cell: &Cell) {
        self.go(at);
        let (symbol, style) = thrifty(cell.symbol(), Style::of(cell), self.style);
        self.take(style);
        self.text.push_str(symbol);
        let narrow = symbol.chars().count() == 1 && symbol.width() == 1;
        self.at = narrow.then_some(Position { x: at.x + 1, y: at.y });
    }

    fn go(&mut self, to: Position) {
        match self.at {
            Some(at) if at == to => {}
            Some(at) if at.y == to.y && at.x + 1 == to.x => self.text.push_str("\x1b[C"),
            Some(at) if at.y == to.y && at.x < to.x => self.put(format_args!("\x1b[{}C", to.x - at.x)),
            _ => self.put(format_args!("\x1b[{};{}H", to.y + 1, to.x + 1)),
        }
    }

    /// Changes what differs, in one code.
    fn take(&mut self, wanted: Style) {
        if wanted == self.style {
            return;
        }
        self.codes.clear();
        change(&mut self.codes, self.style, wanted);
        self.style = wanted;
        let codes = std::mem::take(&mut self.codes);
        self.put(format_args!("\x1b[{}m", codes.trim_end_matches(';')));
        self.codes = codes;
    }

    /// What was drawn; the pen is plain again, so that nothing leaks into what others write.
    pub(super) fn finish(&mut self) -> &str {
        if self.style != PLAIN {
            self.text.push_str("\x1b[m");
        }
        &self.text
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.text.write_fmt(text);
    }
}
