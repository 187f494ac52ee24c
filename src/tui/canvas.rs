//! What the loop needs of a terminal, so that a test can give it another one.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;

/// Draws the screen into a buffer of this area.
pub(super) type DrawFn<'a> = &'a mut dyn FnMut(Rect, &mut Buffer);

/// Who stops when the screen is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SuspendTarget {
    /// All processes of the job: somebody pressed the key.
    Job,
    /// This process: somebody sent it the signal.
    Process,
}

/// A place to draw on.
pub(super) trait Canvas {
    /// Columns and lines now.
    fn size(&self) -> io::Result<Size>;
    /// Writes what differs from the last drawing, as one update.
    fn draw(&mut self, draw: DrawFn<'_>) -> io::Result<()>;
    /// Forgets what is on the terminal, so that the next drawing writes everything.
    fn clear(&mut self) -> io::Result<()>;
    /// Gives the terminal back for good.
    fn release(&mut self);
    /// Gives the terminal back and stops. Returns once stopped and continued, or shortly before.
    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()>;
    /// Takes the terminal again.
    fn resume(&mut self) -> io::Result<()>;
    /// Listens to the mouse or not.
    fn set_mouse(&mut self, mouse: bool) -> io::Result<()>;
    /// Writes a sequence that draws nothing.
    fn write_sequence(&mut self, sequence: &str) -> io::Result<()>;
    /// Whether the program panicked somewhere and the terminal is given back already.
    fn has_panicked(&self) -> bool;
}
