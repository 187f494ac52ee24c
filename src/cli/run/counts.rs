//! What came of a row of episodes.

use crate::cli::episode_output;
use crate::cli::exit::Exit;
use crate::engine::Ending;

/// A row of episodes, counted.
#[derive(Default)]
pub(super) struct BatchCounts {
    scores: Vec<f64>,
    done: usize,
    won: usize,
    expired: usize,
    /// Episodes that a fault of their own ended.
    pub(super) faults: usize,
    /// Episodes that were left at a breakpoint.
    pub(super) parked: usize,
}

impl BatchCounts {
    /// Counts an episode that is over.
    pub(super) fn count(&mut self, result: &episode_output::EpisodeResult<'_>) {
        let ending = result.episode.ending();
        self.done += 1;
        self.won += usize::from(ending == Some(Ending::Won));
        self.expired += usize::from(matches!(ending, Some(Ending::TimeLimit | Ending::Budget)));
        self.scores.extend(result.score);
    }

    /// A sentence for people; none about less than two episodes, which have told all themselves.
    pub(super) fn summary(&self) -> Option<String> {
        if self.done < 2 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "nobody plays 2^52 episodes")]
        let mean = self.scores.iter().sum::<f64>() / self.scores.len() as f64;
        let mean = match self.scores.len() {
            0 => "unknown".to_owned(),
            known if known < self.done => format!("{mean:.2} over {known} of {}", self.done),
            _ => format!("{mean:.2}"),
        };
        let (done, won) = (self.done, self.won);
        Some(format!("{done} episodes, {won} won, mean score {mean}"))
    }

    /// How the verb ends.
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
