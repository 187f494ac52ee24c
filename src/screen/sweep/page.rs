//! The pages of the dashboard, and which episodes of a cell are listed.

use super::cell_episodes::EpisodeRow;

/// A page of the dashboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    /// A map of AM and OM; the table if the sweep has none.
    #[default]
    Map,
    /// All cells.
    Table,
    /// Running episodes, failures and retries.
    Activity,
    /// The episodes of a cell.
    Cell,
}

/// Which episodes of a cell are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum EpisodeFilter {
    #[default]
    All,
    Unsolved,
    WithErrors,
}

impl EpisodeFilter {
    /// The filter after this one.
    pub(super) fn next(self) -> Self {
        match self {
            Self::All => Self::Unsolved,
            Self::Unsolved => Self::WithErrors,
            Self::WithErrors => Self::All,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "all episodes",
            Self::Unsolved => "unsolved",
            Self::WithErrors => "with errors",
        }
    }

    /// Whether it lists an episode.
    pub(super) fn lists(self, episode: &EpisodeRow) -> bool {
        match self {
            Self::All => true,
            Self::Unsolved => episode.is_unsolved(),
            Self::WithErrors => !episode.errors.is_empty(),
        }
    }
}
