//! Where a driver writes: a journal, or whatever else can keep events in order.

use std::path::Path;

use crate::engine::damage::JournalError;
use crate::engine::event::Event;
use crate::engine::journal::Journal;

/// Where events are written before they count.
pub trait Log: Send {
    /// Writes one event; when it fails, nothing of it is left.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Called when the episode is over.
    fn finish(&mut self) -> Result<(), JournalError>;
    /// The file, where there is one.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl Log for Journal {
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        Journal::append(self, at, event)
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        self.sync()
    }

    fn path(&self) -> Option<&Path> {
        Some(Journal::path(self))
    }
}
