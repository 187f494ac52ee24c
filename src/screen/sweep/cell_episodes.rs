//! What the list of the episodes of a cell shows, as plain data.

use std::path::PathBuf;

use crate::episode_state::EpisodeState;
use mageyard_engine::Ending;

/// The episodes of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellEpisodes {
    /// The index of the cell in the sweep; `None` if no cell is open.
    pub cell: Option<usize>,
    /// The episodes in their order.
    pub episodes: Vec<EpisodeRow>,
    /// Why they cannot be listed; empty if they can.
    pub problem: String,
}

/// An episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EpisodeRow {
    /// Its journal.
    pub journal: PathBuf,
    /// Its folder in the session of the cell.
    pub folder: String,
    /// Its level.
    pub level: String,
    /// The number of the repeat.
    pub repeat: String,
    /// How it ended, or that it has not.
    pub state: EpisodeState,
    /// The steps.
    pub steps: String,
    /// The score.
    pub score: String,
    /// The errors with their counts, or why it cannot be read; empty if there are none.
    pub errors: String,
    /// The tokens of its requests; empty without requests.
    pub tokens: String,
    /// Its own time.
    pub time: String,
}

impl EpisodeRow {
    /// Whether it ended without being solved.
    pub(super) fn is_unsolved(&self) -> bool {
        matches!(self.state, EpisodeState::Ended(ending) if ending != Ending::Won)
    }
}
