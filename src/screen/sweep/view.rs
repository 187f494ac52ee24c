//! What the dashboard shows, as plain data.

use std::time::Duration;

use super::activity::{Incident, LimitUse, RunningEpisode};
use crate::episode_state::EpisodeState;
use mageyard_domain::Amount;
use mageyard_terminal::StyleRole;

/// The state of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellPhase {
    /// A process works on it.
    Running,
    /// It failed.
    Failed,
    /// An episode waits at a breakpoint.
    Parked,
    /// No process works on it yet.
    #[default]
    Queued,
    /// All its episodes are over.
    Done,
}

impl CellPhase {
    /// All states, in the order in which they are counted.
    pub(super) const ALL: [Self; 5] = [Self::Done, Self::Running, Self::Failed, Self::Parked, Self::Queued];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Failed => "failed",
            Self::Parked => "parked",
            Self::Queued => "queued",
            Self::Done => "done",
        }
    }

    /// A sign that differs from the others without colour.
    pub(super) fn sign(self) -> &'static str {
        self.episode_state().map_or("✓", EpisodeState::sign)
    }

    pub(super) fn role(self) -> StyleRole {
        self.episode_state().map_or(StyleRole::Ok, EpisodeState::role)
    }

    /// What an episode in this state does; `None` of a cell that is done, whose episodes ended in several ways.
    fn episode_state(self) -> Option<EpisodeState> {
        match self {
            Self::Running => Some(EpisodeState::Running),
            Self::Failed => Some(EpisodeState::Error),
            Self::Parked => Some(EpisodeState::Breakpoint),
            Self::Queued => Some(EpisodeState::Opening),
            Self::Done => None,
        }
    }
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellView {
    /// Its name, which is that of its session.
    pub name: String,
    /// The values of the settings that differ between cells, in the order of [`SweepView::columns`].
    pub values: Vec<String>,
    /// Its state.
    pub state: CellPhase,
    /// The number of finished episodes.
    pub finished: usize,
    /// The number of its episodes.
    pub planned: usize,
    /// The number of solved episodes, if it is known.
    pub won: Option<usize>,
    /// The mean score, if it is known.
    pub score: Option<f64>,
    /// The tokens of its finished episodes, if they are known.
    pub tokens: Option<u64>,
    /// The cost of its finished episodes with its currency, as far as it is known; `None` without requests or a price.
    pub cost: Option<(Amount, String)>,
    /// The errors of its finished episodes with their counts, such as `parse`; kinds that did not occur are left out.
    pub errors: Vec<(&'static str, usize)>,
    /// Why it failed or is parked, or which process works on it.
    pub note: String,
}

impl CellView {
    /// The number of errors of all kinds.
    pub(super) fn error_count(&self) -> usize {
        self.errors.iter().map(|(_, count)| count).sum()
    }
}

/// A sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepView {
    /// Its name.
    pub name: String,
    /// How verbs name it: its name, or its folder if it is not in the store.
    pub address: String,
    /// The settings that differ between cells, by their short names.
    pub columns: Vec<String>,
    /// The cells in the order of the plan.
    pub cells: Vec<CellView>,
    /// Finished episodes a minute, if it is known.
    pub rate: Option<f64>,
    /// The time until the end at this rate.
    pub left: Option<Duration>,
    /// Requests, tokens and cost, in one line.
    pub spent: String,
    /// The limits of all episodes together; none if there are none, or they are those of other processes.
    pub limits: Vec<LimitUse>,
    /// The episodes that are being played, in the order of the plan.
    pub running: Vec<RunningEpisode>,
    /// Failures by class, and retries.
    pub incidents: Vec<Incident>,
    /// What the model servers allow, in one line; empty if no request was sent.
    pub servers: String,
    /// That a person has paused or cancelled the sweep, and what resumes it, in two lines; empty while it is running.
    pub control: Vec<String>,
    /// What an episode waits for, or another remark; empty if there is none.
    pub note: String,
    /// Whether quitting stops the run.
    pub is_run: bool,
    /// Whether the run has ended.
    pub has_ended: bool,
}

impl SweepView {
    /// The number of cells in this state.
    pub(super) fn count(&self, state: CellPhase) -> usize {
        self.cells.iter().filter(|cell| cell.state == state).count()
    }

    /// The errors of all cells by kind, the most frequent first.
    pub(super) fn errors(&self) -> Vec<(&'static str, usize)> {
        let mut sums: Vec<(&'static str, usize)> = Vec::new();
        for (name, count) in self.cells.iter().flat_map(|cell| &cell.errors) {
            match sums.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += count,
                None => sums.push((name, *count)),
            }
        }
        sums.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sums
    }

    /// What tells a cell from others, in the order of the columns: `am 5 · om 1`.
    pub(super) fn values_of(&self, cell: &CellView) -> String {
        let pairs = self.columns.iter().zip(&cell.values).map(|(name, value)| format!("{name} {value}"));
        pairs.collect::<Vec<_>>().join(" · ")
    }

    /// Finished and planned episodes of all cells.
    pub(super) fn episodes(&self) -> (usize, usize) {
        let sum = |count: fn(&CellView) -> usize| self.cells.iter().map(count).sum();
        (sum(|cell| cell.finished), sum(|cell| cell.planned))
    }
}
