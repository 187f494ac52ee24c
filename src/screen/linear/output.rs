//! The terminal of the linear mode: lines go out, nothing is moved and no mode is changed.

use std::io;
use std::io::Write;

use ratatui::layout::Size;

use mageyard_terminal::{Canvas, DrawFn, SuspendTarget, stop};

/// The size that dialogs are laid out for. Lines have no width, so it is the same on every terminal.
const SIZE: Size = Size { width: 120, height: 40 };

/// Writes lines.
#[derive(Debug)]
pub(crate) struct LinearOutput<W> {
    out: W,
    /// Whether everything was asked for again.
    is_cleared: bool,
}

impl<W: Write> LinearOutput<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, is_cleared: false }
    }

    /// Writes these lines as one piece.
    pub(crate) fn print(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let text = lines.join("\n");
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// Whether everything was asked for again since the last call.
    pub(crate) fn take_cleared(&mut self) -> bool {
        std::mem::take(&mut self.is_cleared)
    }
}

impl<W: Write> Canvas for LinearOutput<W> {
    fn size(&self) -> io::Result<Size> {
        Ok(SIZE)
    }

    fn draw(&mut self, _: DrawFn<'_>) -> io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.is_cleared = true;
        Ok(())
    }

    fn release(&mut self) {}

    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        stop(whom)
    }

    fn resume(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn set_mouse(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }

    /// Sequences are for the full screen.
    fn write_sequence(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn has_panicked(&self) -> bool {
        false
    }
}
