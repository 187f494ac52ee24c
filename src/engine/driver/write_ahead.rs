//! Write-ahead logging: an event is written before it takes effect.
//!
//! An event that could not be written stays pending, and nothing else happens until it is written; so a full disk
//! loses nothing and the environment never acts twice.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::runtime::RuntimeFlavor;
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::error::DriverError;
use crate::domain::BlobStore;
use crate::domain::MemoryBlobStore;
use crate::engine::episode::Episode;
use crate::engine::episode::Need;
use crate::engine::event::Event;
use crate::engine::journal::Journal;
use crate::engine::journal::JournalError;
use crate::engine::summary::EpisodeSummary;
use crate::engine::summary::write_sealed_summary;

/// Receives events before they take effect.
pub trait EventSink: Send {
    /// Writes one event at `at` milliseconds of episode time. On error nothing of it remains.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Called once the episode is over, after this much of its own time. Returns the summary that it made, if it made
    /// one.
    fn finish(
        &mut self,
        episode: &Episode,
        elapsed: Duration,
    ) -> Result<Option<EpisodeSummary>, JournalError>;
    /// The file, if there is one.
    fn path(&self) -> Option<&Path> {
        None
    }
    /// The store for the blobs of the episode.
    fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(MemoryBlobStore::default())
    }
}

impl EventSink for Journal {
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        Journal::append(self, at, event)
    }

    fn finish(
        &mut self,
        episode: &Episode,
        elapsed: Duration,
    ) -> Result<Option<EpisodeSummary>, JournalError> {
        beside_other_tasks(|| self.sync())?;
        let Some(spec) = self.summary_spec() else { return Ok(None) };
        let summary = EpisodeSummary::of(episode, spec, elapsed);
        // Without a summary the episode is replayed when its results are needed.
        if let Err(error) = write_sealed_summary(Journal::path(self), &summary, self.end()) {
            tracing::warn!(%error, "the summary of the episode cannot be written");
        }
        Ok(Some(summary))
    }

    fn path(&self) -> Option<&Path> {
        Some(Journal::path(self))
    }

    fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(Journal::blobs(self).clone())
    }
}

/// Does work that waits for the disk. Other tasks of a runtime with several threads go on meanwhile.
fn beside_other_tasks<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}

/// An episode and its event sink. The episode changes only by events that are written.
pub(super) struct WriteAhead {
    episode: Episode,
    sink: Box<dyn EventSink>,
    /// Events that happened but are not written yet, oldest first.
    unwritten: VecDeque<Event>,
    started: Instant,
    earlier: Duration,
    /// Since when the present agent can decide the current step.
    undecided_since: Instant,
    /// The summary that was made when the episode ended.
    summary: Option<Box<EpisodeSummary>>,
}

impl WriteAhead {
    /// An episode and its event sink; `earlier` is the episode's own time so far.
    pub(super) fn new(episode: Episode, sink: Box<dyn EventSink>, earlier: Duration) -> Self {
        Self {
            episode,
            sink,
            unwritten: VecDeque::new(),
            started: Instant::now(),
            earlier,
            undecided_since: Instant::now(),
            summary: None,
        }
    }

    pub(super) fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The store for the blobs of the episode.
    pub(super) fn blobs(&self) -> Arc<dyn BlobStore> {
        self.sink.blobs()
    }

    /// The journal file, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.sink.path()
    }

    /// Takes the summary that was made when the episode ended, if one was.
    pub(super) fn take_summary(&mut self) -> Option<EpisodeSummary> {
        self.summary.take().map(|summary| *summary)
    }

    /// Whether events are pending.
    pub(super) fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// Checks, writes and applies an event. An event that the episode refuses is not written, so every journal can be
    /// replayed.
    pub(super) fn record(&mut self, event: Event) -> Result<(), DriverError> {
        self.episode.can_apply(&event)?;
        self.unwritten.push_back(event);
        self.flush()
    }

    /// Like [`WriteAhead::record`] for an event that has not happened yet: if it cannot be written, it is dropped and
    /// must not happen.
    pub(super) fn announce(&mut self, event: Event) -> Result<(), DriverError> {
        self.flush()?;
        self.record(event).inspect_err(|_| self.unwritten.clear())
    }

    /// Writes the pending events and applies each once it is written.
    pub(super) fn flush(&mut self) -> Result<(), DriverError> {
        let at = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        while let Some(event) = self.unwritten.front() {
            self.sink.append(at, event)?;
            let stored = self.sink.path().is_some();
            if let Some(event) = self.unwritten.pop_front() {
                if matches!(
                    event,
                    Event::Opened(..)
                        | Event::Acted(..)
                        | Event::Looked(_)
                        | Event::Skipped
                        | Event::Seated(_)
                ) {
                    self.undecided_since = Instant::now();
                }
                self.episode.apply(if stored { event.without_image_bytes() } else { event })?;
            }
            if self.episode.ending().is_some() {
                let elapsed = self.elapsed();
                self.summary = self.sink.finish(&self.episode, elapsed)?.map(Box::new);
            }
        }
        Ok(())
    }

    /// The episode's own time so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Since when the present agent can decide the current step.
    pub(super) fn undecided_since(&self) -> Instant {
        self.undecided_since
    }

    /// How long it could.
    pub(super) fn decision_time(&self) -> Duration {
        self.undecided_since.elapsed()
    }

    /// The time left, if there is a limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let limit = self.episode.head().max_time?.duration();
        Some(limit.saturating_sub(self.elapsed()))
    }

    /// When the time of the episode is up, if there is a limit.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.time_left().map(|left| Instant::now() + left)
    }

    /// Whether the time limit is reached.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Whether a running episode has reached its time limit. An action that has begun is ended first.
    pub(super) fn is_expired(&self) -> bool {
        let open = !matches!(self.episode.need(), Need::Open | Need::Finish(_) | Need::Nothing(_));
        open && self.is_out_of_time()
    }
}
