//! A terminal backend that writes few bytes, which matters over SSH. It sends only the colours that change, no
//! foreground for blanks, the upside-down half block where that saves a colour, relative cursor moves where they are
//! shorter than the cells between, and one sequence for a run of the same character where the terminal knows it.
//!
//! The result equals that of ratatui's crossterm backend, which does everything but the drawing.

mod ansi_writer;
mod cell_style;
mod moves;
mod order;
mod sgr;
mod shown_cells;
#[cfg(test)]
mod tests;

use std::io;
use std::io::Write;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellDiffOption};
use ratatui::layout::{Position, Size};

use self::ansi_writer::AnsiWriter;
use self::shown_cells::ShownCells;
use crate::size::terminal_size;

/// The sequences around a frame that is shown only when it is complete (mode 2026).
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

/// Turns changed cells into text for a terminal, of which it knows what it shows.
#[derive(Debug, Default)]
pub struct CellWriter {
    /// Whether the terminal repeats a character by a sequence (REP).
    repeats: bool,
    /// Whether the terminal shows a frame only when it is complete (mode 2026), or that is not known.
    synchronized: bool,
    shown: ShownCells,
}

impl CellWriter {
    /// A writer for a cleared terminal.
    pub fn new(repeats: bool, synchronized: bool) -> Self {
        Self { repeats, synchronized, shown: ShownCells::default() }
    }

    /// Sets whether the terminal repeats a character by a sequence (REP), and whether it shows a frame only when it is
    /// complete (mode 2026).
    pub(super) fn set_abilities(&mut self, repeats: bool, synchronized: bool) {
        (self.repeats, self.synchronized) = (repeats, synchronized);
    }

    /// What these cells show is not known.
    pub fn forget(&mut self, cells: impl IntoIterator<Item = Position>) {
        for at in cells {
            self.shown.forget(at);
        }
    }

    /// The text that makes the terminal show these cells; empty if there are none.
    pub fn write<'a>(&mut self, cells: impl Iterator<Item = (u16, u16, &'a Cell)>) -> String {
        let mut pen = AnsiWriter::new(self.repeats, &mut self.shown);
        let changes = order::by_bytes(cells.map(|(x, y, cell)| (Position { x, y }, cell)).collect());
        for (at, cell) in changes {
            pen.write_cell(at, cell);
        }
        let text = pen.finish();
        if text.is_empty() || !self.synchronized { text } else { format!("{BEGIN}{text}{END}") }
    }
}

/// The skipped cells of a screen: something else than cells is drawn there, such as a picture.
pub fn skipped_cells(screen: &Buffer) -> Vec<Position> {
    let cells = screen.content.iter().enumerate();
    let skipped = cells.filter(|(_, cell)| cell.diff_option == CellDiffOption::Skip);
    skipped.map(|(index, _)| screen.pos_of(index).into()).collect()
}

/// The crossterm backend with its own drawing of cells.
pub(super) struct DiffBackend<W: Write> {
    inner: CrosstermBackend<W>,
    cells: CellWriter,
    /// The columns and rows of a terminal that does not say it.
    assumed_size: (u16, u16),
}

impl<W: Write> DiffBackend<W> {
    pub(super) fn new(out: W, assumed_size: (u16, u16)) -> Self {
        Self { inner: CrosstermBackend::new(out), cells: CellWriter::default(), assumed_size }
    }

    /// The writer of cells, to change what it knows of the terminal.
    pub(super) fn cells_mut(&mut self) -> &mut CellWriter {
        &mut self.cells
    }
}

impl<W: Write> Write for DiffBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.inner)
    }
}

impl<W: Write> Backend for DiffBackend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        self.inner.write_all(self.cells.write(cells).as_bytes())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.cells.shown.clear();
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.cells.shown.clear();
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        Ok(terminal_size(self.assumed_size).into())
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, ..self.inner.window_size()? })
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}
