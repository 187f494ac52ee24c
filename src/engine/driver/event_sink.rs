//! Where a driver writes: a journal, or whatever else can keep events in order.

use std::path::Path;

use crate::engine::event::Event;
use crate::engine::journal::Journal;
use crate::engine::journal_error::JournalError;

/// Where events are written before they count.
pub trait EventSink: Send {
    /// Writes one event; when it fails, nothing of it is left.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Called when the episode is over.
    fn finish(&mut self) -> Result<(), JournalError>;
    /// The file, where there is one.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl EventSink for Journal {
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
