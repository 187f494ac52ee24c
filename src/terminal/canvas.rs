//! The terminal as the event loop sees it, so that tests can replace it.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::picture_form::TerminalReport;
use crate::terminal_input::AwaitedAnswers;

/// A function that draws the screen into a buffer of this area.
pub type DrawFn<'a> = &'a mut dyn FnMut(Rect, &mut Buffer);

/// What is stopped when the screen is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspendTarget {
    /// All processes of the job: the key was pressed.
    Job,
    /// This process: it received the signal.
    Process,
}

/// A terminal or a replacement for it.
pub trait Canvas {
    /// The current size in columns and rows.
    fn size(&self) -> io::Result<Size>;
    /// Draws and writes the differences from the last drawing as one update.
    fn draw(&mut self, draw: DrawFn<'_>) -> io::Result<()>;
    /// Forgets the last drawing, so that the next one writes everything.
    fn clear(&mut self) -> io::Result<()>;
    /// Restores the terminal for good.
    fn release(&mut self);
    /// Restores the terminal and stops. Returns once continued, or shortly before.
    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()>;
    /// Sets the terminal up again after a suspend.
    fn resume(&mut self) -> io::Result<()>;
    /// Turns mouse events on or off.
    fn set_mouse(&mut self, mouse: bool) -> io::Result<()>;
    /// The bytes that were written so far; 0 where they are not counted.
    fn written(&self) -> usize {
        0
    }
    /// Waits for answers that are due, so that the next program does not get them, and returns what was answered.
    fn read_late_answers(&mut self, awaited: AwaitedAnswers) -> io::Result<TerminalReport> {
        Ok(awaited.report)
    }
    /// Sets what the terminal has said that it can do.
    fn set_abilities(&mut self, _report: &TerminalReport) {}
    /// Writes an escape sequence that draws nothing.
    fn write_sequence(&mut self, sequence: &str) -> io::Result<()>;
    /// Whether the program panicked and the terminal was restored.
    fn has_panicked(&self) -> bool;
}
