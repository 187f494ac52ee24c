//! A cell that this process works on.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::claims::{Claim, End, Reason};
use mageyard_lab::{EpisodeEnd, PlannedEpisode, RunEnds, Shared};

/// The longest time before an episode is tried again.
const LONGEST_DELAY: Duration = Duration::from_mins(30);

/// An episode that is not under way.
pub(super) struct WaitingEpisode {
    pub(super) planned: PlannedEpisode,
    /// Its index in the cell.
    pub(super) index: usize,
    /// How often the model server failed it.
    pub(super) failures: u32,
    /// When it may start.
    not_before: Instant,
}

impl WaitingEpisode {
    /// A new episode.
    pub(super) fn new(index: usize, planned: PlannedEpisode) -> Self {
        Self { planned, index, failures: 0, not_before: Instant::now() }
    }

    /// The same episode after one more failure, to be tried again after the returned time.
    fn delayed(self, first: Duration) -> (Self, Duration) {
        let delay = first.saturating_mul(1 << self.failures.min(16)).min(LONGEST_DELAY);
        let not_before = Instant::now() + delay;
        (Self { failures: self.failures + 1, not_before, ..self }, delay)
    }
}

/// A cell, its claim and its episodes.
pub(super) struct ActiveCell {
    pub(super) claim: Claim,
    pub(super) runner: Arc<Shared>,
    /// What ends the episodes of this cell.
    ends: RunEnds,
    pub(super) waiting: VecDeque<WaitingEpisode>,
    pub(super) running: usize,
    results: Results,
}

/// What the episodes of a cell ended with, besides those that are over.
#[derive(Default)]
struct Results {
    failed: Option<Reason>,
    parked: Option<Reason>,
    /// Whether an episode was stopped, and is to be resumed.
    stopped: bool,
    lost: bool,
}

impl ActiveCell {
    pub(super) fn new(
        claim: Claim,
        runner: Shared,
        ends: RunEnds,
        waiting: VecDeque<WaitingEpisode>,
    ) -> Self {
        Self { claim, runner: runner.into(), ends, waiting, running: 0, results: Results::default() }
    }

    /// Takes the first waiting episode that may start.
    pub(super) fn take_ready(&mut self, now: Instant) -> Option<WaitingEpisode> {
        let ready = self.waiting.iter().position(|episode| episode.not_before <= now)?;
        self.running += 1;
        self.waiting.remove(ready)
    }

    /// When the first waiting episode may start.
    pub(super) fn next_start(&self) -> Option<Instant> {
        self.waiting.iter().map(|episode| episode.not_before).min()
    }

    /// Counts the end of an episode. Returns why it failed, and the time after which it is tried again, if it is.
    pub(super) fn ended(
        &mut self,
        episode: WaitingEpisode,
        end: EpisodeEnd,
        (retries, delay): (u32, Duration),
    ) -> Option<(String, Duration)> {
        self.running -= 1;
        match end {
            EpisodeEnd::Finished => {}
            EpisodeEnd::Parked(parking) => {
                let reason = Reason { class: parking.class().to_owned(), text: parking.why().to_owned() };
                self.results.parked.get_or_insert(reason);
            }
            EpisodeEnd::Failed { why, retry: true, .. }
                if episode.failures < retries && !self.ends.is_ending() =>
            {
                let (episode, delay) = episode.delayed(delay);
                self.waiting.push_back(episode);
                return Some((why, delay));
            }
            EpisodeEnd::Failed { class, why, .. } => {
                self.results.failed.get_or_insert(Reason { class, text: why });
            }
            EpisodeEnd::Stopped | EpisodeEnd::Mismatch(_) => self.results.stopped = true,
            EpisodeEnd::ClaimLost => self.results.lost = true,
        }
        None
    }

    /// Whether nothing is left to do: all episodes have ended, or were stopped.
    pub(super) fn has_ended(&self) -> bool {
        self.running == 0 && (self.waiting.is_empty() || self.ends.is_ending())
    }

    /// How the claim ends; `None` if it is lost. `stopping` says that the whole run was stopped, so what is left is not
    /// the fault of the cell.
    pub(super) fn end(&self, stopping: bool) -> Option<End> {
        let Results { failed, parked, stopped, lost } = &self.results;
        let unfinished = *stopped || !self.waiting.is_empty();
        match (failed, parked) {
            _ if *lost => None,
            _ if stopping && unfinished => Some(End::Release),
            (Some(reason), _) => Some(End::Failed(reason.clone())),
            _ if unfinished => Some(End::Release),
            (None, Some(reason)) => Some(End::Parked(reason.clone())),
            (None, None) => Some(End::Done),
        }
    }
}
