//! An episode and the log that its events are written to before they count.
//!
//! Writing comes first. An event that could not be written waits here, and nothing else happens until it is
//! written; so a full disk loses nothing and an environment never acts twice.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::error::DriverError;
use super::event_sink::EventSink;
use crate::engine::episode::Episode;
use crate::engine::episode::Need;
use crate::engine::event::Event;

/// An episode that changes only by what has been written.
pub(super) struct WriteAhead {
    episode: Episode,
    sink: Box<dyn EventSink>,
    /// Events that happened and are still to be written, oldest first.
    unwritten: VecDeque<Event>,
    began: Instant,
    earlier: Duration,
}

impl WriteAhead {
    /// An episode and its log; `earlier` is the episode's own time so far.
    pub(super) fn new(episode: Episode, sink: Box<dyn EventSink>, earlier: Duration) -> Self {
        Self { episode, sink, unwritten: VecDeque::new(), began: Instant::now(), earlier }
    }

    pub(super) fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The log's file, where there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.sink.path()
    }

    /// Whether something that happened is still to be written.
    pub(super) fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// What cannot happen now is refused before it is written: a journal holds nothing that does not
    /// lead back to its episode.
    pub(super) fn record(&mut self, event: Event) -> Result<(), DriverError> {
        self.episode.can_apply(&event)?;
        self.unwritten.push_back(event);
        self.flush()
    }

    /// Keeps an event that goes into the journal before whatever happens next.
    pub(super) fn enqueue(&mut self, event: Event) {
        self.unwritten.push_back(event);
    }

    /// Writes the events that wait, and only then lets each count.
    pub(super) fn flush(&mut self) -> Result<(), DriverError> {
        let at = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        while let Some(event) = self.unwritten.front() {
            self.sink.append(at, event)?;
            if let Some(event) = self.unwritten.pop_front() {
                self.episode.apply(event)?;
            }
            if self.episode.ending().is_some() {
                self.sink.finish()?;
            }
        }
        Ok(())
    }

    /// The episode's own time so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.earlier + self.began.elapsed()
    }

    /// How long it may still take, where there is a limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let limit = Duration::from_secs(self.episode.head().max_time?);
        Some(limit.saturating_sub(self.elapsed()))
    }

    /// Whether the time limit is reached while the episode is under way.
    pub(super) fn is_expired(&self) -> bool {
        let under_way = self.episode.ending().is_none() && *self.episode.need() != Need::Open;
        under_way && self.time_left().is_some_and(|left| left.is_zero())
    }
}
