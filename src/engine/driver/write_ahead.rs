//! Write-ahead logging: an event is written before anything outside the program can depend on it.
//!
//! Before a request is sent, before an action that cannot be repeated is carried out, and before a half of a step is over
//! and shown, everything so far is written. An event on which only the next one depends is held back and written together
//! with it: the question with the request, the reply with what was read in it. All others are written before the episode
//! changes.
//!
//! An event that could not be written stays pending, and nothing else happens until it is written; so a full disk
//! loses nothing and the environment never acts twice.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::episode_clock::EpisodeClock;
use super::error::DriverError;
use crate::episode::{Episode, Need};
use crate::event::Event;
use crate::journal::{Journal, JournalError};
use crate::summary::{EpisodeSummary, write_sealed_summary};
use mageyard_domain::{BlobStore, MemoryBlobStore, TimeChecked};

/// Receives events before they take effect.
pub trait EventSink: Send {
    /// Writes one event at `at` milliseconds of episode time, and those that are held back. On error nothing of it remains.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Like [`EventSink::append`], but may hold the event back until the next one is appended.
    fn hold(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        self.append(at, event)
    }
    /// Writes the events that are held back. On error they are still held back.
    fn flush(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
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

    fn hold(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        Journal::hold(self, at, event)
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        Journal::flush(self)
    }

    fn finish(
        &mut self,
        episode: &Episode,
        elapsed: Duration,
    ) -> Result<Option<EpisodeSummary>, JournalError> {
        Journal::flush(self)?;
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

/// An episode and its event sink. The episode changes only by events that are written or held back.
pub(super) struct WriteAhead {
    episode: Episode,
    sink: Box<dyn EventSink>,
    /// Events that happened but could not be written and are not applied yet, oldest first.
    unwritten: VecDeque<Event>,
    /// Whether the last write failed, so that events may be held back for longer than they should.
    is_behind: bool,
    clock: EpisodeClock,
    /// Since when the present agent can decide the current step.
    undecided_since: Instant,
    /// Since when the present question to a person is open.
    asked_since: Instant,
    /// The summary that was made when the episode ended.
    summary: Option<Box<EpisodeSummary>>,
}

impl WriteAhead {
    /// An episode and its event sink; `earlier` is the episode's own time so far.
    pub(super) fn new(episode: Episode, sink: Box<dyn EventSink>, earlier: Duration) -> Self {
        Self {
            clock: EpisodeClock::new(&episode, earlier),
            episode,
            sink,
            unwritten: VecDeque::new(),
            is_behind: false,
            undecided_since: Instant::now(),
            asked_since: Instant::now(),
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

    /// Whether events are pending because a write failed.
    pub(super) fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty() || self.is_behind
    }

    /// Checks, writes and applies an event. An event that the episode refuses is not written, so every journal can be
    /// replayed.
    pub(super) fn record(&mut self, event: Event) -> Result<(), DriverError> {
        self.episode.can_apply(&event)?;
        self.unwritten.push_back(event);
        self.write_pending(|sink, at, event| sink.append(at, event))
    }

    /// Like [`WriteAhead::record`] for an event on which only the next one depends, which follows at once: it may be
    /// applied before both are written.
    pub(super) fn hold(&mut self, event: Event) -> Result<(), DriverError> {
        self.episode.can_apply(&event)?;
        self.unwritten.push_back(event);
        self.write_pending(|sink, at, event| sink.hold(at, event))
    }

    /// Like [`WriteAhead::record`] for an event that has not happened yet: if it cannot be written, it is dropped and
    /// must not happen.
    pub(super) fn announce(&mut self, event: Event) -> Result<(), DriverError> {
        if self.has_unwritten() {
            self.flush()?;
        }
        self.record(event).inspect_err(|_| self.unwritten.clear())
    }

    /// Writes everything that is pending or held back.
    pub(super) fn flush(&mut self) -> Result<(), DriverError> {
        self.write_pending(|sink, at, event| sink.append(at, event))?;
        let flushed = self.sink.flush();
        self.is_behind = flushed.is_err();
        Ok(flushed?)
    }

    /// Writes the pending events and applies each once it is written.
    fn write_pending(
        &mut self,
        write: impl Fn(&mut dyn EventSink, u64, &Event) -> Result<(), JournalError>,
    ) -> Result<(), DriverError> {
        while let Some(event) = self.unwritten.front() {
            let at = u64::try_from(self.elapsed_with(event).as_millis()).unwrap_or(u64::MAX);
            let written = write(&mut *self.sink, at, event);
            self.is_behind = written.is_err();
            written?;
            if let Some(event) = self.unwritten.pop_front() {
                self.apply(event)?;
            }
        }
        Ok(())
    }

    fn apply(&mut self, event: Event) -> Result<(), DriverError> {
        if matches!(
            event,
            Event::Opened(..) | Event::Acted(..) | Event::Looked(_) | Event::Skipped | Event::Seated(_)
        ) {
            self.undecided_since = Instant::now();
        }
        let asked = self.episode.asks_person() && !matches!(event, Event::Person(_));
        let stored = self.sink.path().is_some();
        self.episode.apply(if stored { event.without_image_bytes() } else { event })?;
        if self.episode.asks_person() && !asked {
            self.asked_since = Instant::now();
        }
        if self.episode.ending().is_some() {
            let elapsed = self.elapsed();
            self.summary = self.sink.finish(&self.episode, elapsed)?.map(Box::new);
        }
        Ok(())
    }

    /// Begins a time that counts.
    pub(super) fn start_clock(&mut self) {
        self.clock.start();
    }

    /// Ends a time that counts.
    pub(super) fn stop_clock(&mut self) {
        self.clock.stop();
    }

    /// The episode's own time so far, with the time in which persons decided.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed(self.episode.time_of_persons())
    }

    /// The same after this event: a person's reply adds the time that it took.
    fn elapsed_with(&self, event: &Event) -> Duration {
        let added = match event {
            Event::Replied(reply) => self.episode.time_of_person(reply),
            Event::Person(reply) => Duration::from_millis(reply.milliseconds.into()),
            _ => Duration::ZERO,
        };
        self.clock.elapsed(self.episode.time_of_persons() + added)
    }

    /// Since when the present agent can decide the current step.
    pub(super) fn undecided_since(&self) -> Instant {
        self.undecided_since
    }

    /// How long it could.
    pub(super) fn decision_time(&self) -> Duration {
        self.undecided_since.elapsed()
    }

    /// How long the present question to a person is open.
    pub(super) fn question_time(&self) -> Duration {
        self.asked_since.elapsed()
    }

    /// The time left, if there is a limit.
    fn time_left(&self) -> Option<Duration> {
        let limit = self.episode.head().max_time?.duration();
        Some(limit.saturating_sub(self.clock.counted()))
    }

    /// When what is under way ends because the time of the episode is up; `None` without a limit, if it may end by itself,
    /// and while its time does not count.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let left = self.time_left().filter(|_| self.clock.is_running() && self.cuts_off());
        left.map(|left| Instant::now() + left)
    }

    /// Whether the time limit is reached.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Whether the time limit is reached and ends also what has begun.
    pub(super) fn is_cut_off(&self) -> bool {
        self.cuts_off() && self.is_out_of_time()
    }

    /// Whether a running episode has reached its time limit. An action that has begun is ended first.
    pub(super) fn is_expired(&self) -> bool {
        let need = self.episode.need();
        let is_checked = if self.cuts_off() {
            let is_over = matches!(need, Need::Judge(_) | Need::Nothing(_));
            let is_begun = !matches!(need, Need::Open | Need::Finish(_) | Need::Person(_));
            !is_over && is_begun && !need.ends_half()
        } else {
            matches!(need, Need::Decide { .. } | Need::Read(_) | Need::Act(_))
        };
        is_checked && self.is_out_of_time()
    }

    /// Whether the time limit ends what is under way.
    fn cuts_off(&self) -> bool {
        self.episode.head().conduct.time_checked == TimeChecked::Always
    }
}

impl Drop for WriteAhead {
    /// Writes what is held back also when the task of the episode is dropped or panics.
    fn drop(&mut self) {
        if let Err(error) = self.sink.flush() {
            tracing::warn!(%error, "the last events of the episode cannot be written");
        }
    }
}
