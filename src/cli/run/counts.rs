//! Counts over a batch of episodes.

use crate::exit::Exit;
use mageyard_engine::{Ending, EpisodeSummary};

/// Counts over a batch of episodes.
#[derive(Default)]
pub(super) struct BatchCounts {
    scores: Vec<f64>,
    done: usize,
    won: usize,
    expired: usize,
    /// Episodes that ended with an error of their own.
    pub(super) faults: usize,
    /// Episodes that were parked at a breakpoint.
    pub(super) parked: usize,
}

impl BatchCounts {
    /// Counts a finished episode.
    pub(super) fn count(&mut self, result: &EpisodeSummary) {
        let ending = result.ending;
        self.done += 1;
        self.won += usize::from(result.is_solved());
        self.expired += usize::from(matches!(ending, Some(Ending::TimeLimit | Ending::Budget)));
        self.scores.extend(result.score);
    }

    /// A summary for people; `None` for fewer than two episodes.
    pub(super) fn summary(&self) -> Option<String> {
        if self.done < 2 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "there are never 2^52 episodes")]
        let mean = self.scores.iter().sum::<f64>() / self.scores.len() as f64;
        let mean = match self.scores.len() {
            0 => "unknown".to_owned(),
            known if known < self.done => format!("{mean:.2} over {known} of {}", self.done),
            _ => format!("{mean:.2}"),
        };
        let done = self.done;
        let won = self.won;
        Some(format!("{done} episodes, {won} won, mean score {mean}"))
    }

    /// The number of episodes that have ended in any way but by a stop.
    pub(super) fn ended(&self) -> usize {
        self.done + self.faults + self.parked
    }

    /// The episodes that need attention, for the progress bar.
    pub(super) fn remarks(&self) -> String {
        let remark =
            |count: usize, what: &str| if count > 0 { format!(", {count} {what}") } else { String::new() };
        remark(self.faults, "failed") + &remark(self.parked, "parked")
    }

    /// The exit code of the verb.
    pub(super) fn exit(&self) -> Exit {
        match (self.faults, self.done) {
            (0, _) if self.parked > 0 => Exit::Partial,
            (0, _) if self.expired > 0 => Exit::Limit,
            (0, _) => Exit::Done,
            (_, 0) => Exit::Failed,
            _ => Exit::Partial,
        }
    }
}
