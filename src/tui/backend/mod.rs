//! A terminal backend that writes few bytes, which matters over SSH. It sends only the colours that change, no
//! foreground for blanks, the upside-down half block where that saves a colour, and relative cursor moves where
//! they are shorter.
//!
//! The result equals that of ratatui's crossterm backend, which does everything but the drawing.

mod ansi_writer;
mod cell_style;
mod sgr;
#[cfg(test)]
mod tests;

use std::io;
use std::io::Write;

use ratatui::backend::Backend;
use ratatui::backend::ClearType;
use ratatui::backend::CrosstermBackend;
use ratatui::backend::WindowSize;
use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::layout::Size;

use self::ansi_writer::AnsiWriter;

/// The crossterm backend with its own drawing of cells.
pub(super) struct DiffBackend<W: Write>(CrosstermBackend<W>);

impl<W: Write> DiffBackend<W> {
    pub(super) fn new(out: W) -> Self {
        Self(CrosstermBackend::new(out))
    }
}

impl<W: Write> Write for DiffBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.0)
    }
}

impl<W: Write> Backend for DiffBackend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        let mut pen = AnsiWriter::new();
        cells.for_each(|(x, y, cell)| pen.write_cell(Position { x, y }, cell));
        self.0.write_all(pen.finish().as_bytes())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}
