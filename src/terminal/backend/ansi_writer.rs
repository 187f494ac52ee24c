//! Writes cells as escape sequences and tracks the cursor and style that the terminal has after them.

use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::Color;
use unicode_width::UnicodeWidthStr;

use super::cell_style::{CellStyle, PLAIN, VISIBLE_ON_BLANKS, cheapest};
use super::moves::{move_bytes, push_move};
use super::sgr::style_change;
use super::shown_cells::{ShownCell, ShownCells};

/// The most cells between two changes that are written again instead of moving over them.
const MAX_GAP: u16 = 4;

/// The output so far, and the style and cursor position of the terminal after it.
pub(super) struct AnsiWriter<'a> {
    shown: &'a mut ShownCells,
    style: CellStyle,
    /// The cursor position; unknown after a symbol whose width differs between terminals.
    at: Option<Position>,
    /// Whether the terminal repeats a character by a sequence (REP, ECMA-48).
    repeats: bool,
    /// The narrow characters that are still to be written.
    run: Option<Run>,
    codes: String,
    text: String,
}

/// A narrow character that is to be written from a place on, in the style of the terminal.
#[derive(Clone, Copy)]
struct Run {
    letter: char,
    from: Position,
    count: u16,
}

impl<'a> AnsiWriter<'a> {
    pub(super) fn new(repeats: bool, shown: &'a mut ShownCells) -> Self {
        let codes = String::new();
        let text = String::new();
        Self { shown, style: PLAIN, at: None, repeats, run: None, codes, text }
    }

    pub(super) fn write_cell(&mut self, at: Position, cell: &Cell) {
        self.bridge_gap(at);
        self.shown.write(at, cell);
        let (symbol, style) = cheapest(cell.symbol(), CellStyle::of(cell), self.style);
        let mut letters = symbol.chars();
        let single = letters.next().filter(|_| letters.next().is_none() && symbol.width() == 1);
        if self.at != Some(at) || self.style != style {
            self.end_run(Some(at));
            self.move_to(at);
            self.set_style(style);
        }
        if let Some(letter) = single {
            return self.put(letter, at);
        }
        self.end_run(Some(at));
        self.move_to(at);
        self.text.push_str(symbol);
        self.at = None;
    }

    /// Adds a narrow character at the cursor to those that are still to be written.
    fn put(&mut self, letter: char, at: Position) {
        match &mut self.run {
            Some(run) if run.letter == letter => run.count += 1,
            _ => {
                self.end_run(Some(at));
                self.move_to(at);
                self.run = Some(Run { letter, from: at, count: 1 });
            }
        }
        self.at = Some(Position { x: at.x + 1, y: at.y });
    }

    /// Whether all cells between the cursor and a place to its right show the last character, which is repeated already.
    fn extends_run(&self, at: Position, to: Position) -> bool {
        let Some(Run { letter, count: 2.., .. }) = self.run.filter(|_| self.repeats) else { return false };
        let is_same = |cell: ShownCell| {
            let mut utf8 = [0; 4];
            let (symbol, style) = cheapest(cell.letter.encode_utf8(&mut utf8), cell.style, self.style);
            style == self.style && symbol.chars().eq([letter])
        };
        (at.x..to.x).all(|x| self.shown.at(Position { x, y: at.y }).is_some_and(is_same))
    }

    /// Writes the cells between the cursor and a place to its right again, if that is shorter than a move.
    fn bridge_gap(&mut self, to: Position) {
        let Some(at) = self.at.filter(|at| at.y == to.y && at.x < to.x) else { return };
        if self.extends_run(at, to) {
            if let Some(run) = &mut self.run {
                run.count += to.x - at.x;
            }
            self.at = Some(to);
            return;
        }
        if to.x - at.x > MAX_GAP {
            return;
        }
        let mut letters = [' '; MAX_GAP as usize];
        let mut bytes = 0;
        let places = (at.x..to.x).map(|x| Position { x, y: at.y });
        for (place, letter) in places.clone().zip(&mut letters) {
            let Some(cell) = self.shown.at(place) else { return };
            let mut utf8 = [0; 4];
            let (symbol, style) = cheapest(cell.letter.encode_utf8(&mut utf8), cell.style, self.style);
            let Some(written) = symbol.chars().next().filter(|_| style == self.style) else { return };
            (*letter, bytes) = (written, bytes + written.len_utf8());
        }
        let moved = if to.x - at.x == 1 { 3 } else { 4 };
        if bytes <= moved {
            for (place, letter) in places.zip(letters) {
                self.put(letter, place);
            }
        }
    }

    /// Writes the run in the shortest way: each character, or one and its repetitions, or blanks erased, which leaves the
    /// cursor before them; `next` is where the cursor goes then.
    fn end_run(&mut self, next: Option<Position>) {
        let Some(Run { letter, from, count }) = self.run.take() else { return };
        let after = Position { x: from.x + count, y: from.y };
        let moved = |at: Position| next.map_or(0, |next| move_bytes(Some(at), next));
        let written = letter.len_utf8() * usize::from(count);
        let repeated = letter.len_utf8() + parameter_bytes(count - 1);
        let shorter = if self.repeats { repeated.min(written) } else { written };
        if letter == ' ' && self.erases() && parameter_bytes(count) + moved(from) < shorter + moved(after) {
            self.push(format_args!("\x1b[{count}X"));
            self.at = Some(from);
        } else if shorter < written {
            self.push(format_args!("{letter}\x1b[{}b", count - 1));
        } else {
            self.text.extend(std::iter::repeat_n(letter, count.into()));
        }
    }

    /// Whether erased cells look like blanks in the style of the terminal: not all terminals erase with another background.
    fn erases(&self) -> bool {
        let CellStyle { bg, attributes, .. } = self.style;
        bg == Color::Reset && !attributes.intersects(VISIBLE_ON_BLANKS)
    }

    fn move_to(&mut self, to: Position) {
        push_move(&mut self.text, self.at, to);
        self.at = Some(to);
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
    pub(super) fn finish(mut self) -> String {
        self.end_run(None);
        if self.style != PLAIN {
            self.text.push_str("\x1b[m");
        }
        self.text
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }
}

/// The bytes of a sequence with this parameter.
fn parameter_bytes(parameter: u16) -> usize {
    4 + parameter.checked_ilog10().map_or(0, |digits| digits as usize)
}
