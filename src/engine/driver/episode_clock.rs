//! The clock of an episode: what its time limit counts.
//!
//! It runs while the agent is waited for, unless that is a person, and while the environment acts. So the time until the
//! environment is open, pauses and the time of persons are left out. An episode that was started with a limit before there was
//! a choice counts all of the time for which it is open.

use std::time::Duration;

use tokio::time::Instant;

use crate::episode::Episode;
use mageyard_domain::TimeCounted;

/// A clock that is started and stopped.
pub(super) struct EpisodeClock {
    /// What was counted before it was started last.
    before: Duration,
    /// Since when it runs.
    since: Option<Instant>,
    counts_all: bool,
}

impl EpisodeClock {
    /// The clock of this episode, whose own time so far is `earlier`.
    pub(super) fn new(episode: &Episode, earlier: Duration) -> Self {
        let head = episode.head();
        let counts_all = head.max_time.is_some() && head.conduct.time_counted == TimeCounted::Open;
        if counts_all {
            return Self { before: earlier, since: Some(Instant::now()), counts_all };
        }
        Self { before: earlier.saturating_sub(episode.time_of_persons()), since: None, counts_all }
    }

    pub(super) fn start(&mut self) {
        self.since = self.since.or_else(|| Some(Instant::now()));
    }

    pub(super) fn stop(&mut self) {
        if !self.counts_all {
            self.before = self.counted();
            self.since = None;
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// What the time limit counts.
    pub(super) fn counted(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The episode's own time, in which persons have used this much.
    pub(super) fn elapsed(&self, persons: Duration) -> Duration {
        self.counted() + if self.counts_all { Duration::ZERO } else { persons }
    }
}
