//! The episodes of recorded sessions as the host hands them to the screen: a long session is opened without reading all its
//! episodes, and each of them is read when it is shown.

use std::path::PathBuf;

use mageyard_engine::{EpisodeSummary, Head, Session};

/// Recorded episodes that are opened together, of which some were read.
#[derive(Debug, Default)]
pub struct RecordedEpisodes {
    /// The journals of all of them, in order. Those of `read` need not be among them.
    pub journals: Vec<PathBuf>,
    /// Those that were read, the one to show first.
    pub read: Vec<Session>,
}

impl From<Session> for RecordedEpisodes {
    fn from(session: Session) -> Self {
        Self { journals: Vec::new(), read: vec![session] }
    }
}

/// What a list shows of an episode that was not read: its head, and how it went.
#[derive(Clone, Debug)]
pub struct EpisodeOutline {
    /// The settings that it was started with.
    pub head: Box<Head>,
    /// How it went; `None` if nothing is stored that says so.
    pub summary: Option<Box<EpisodeSummary>>,
    /// Whether it can be resumed.
    pub is_unfinished: bool,
    /// How many tags and comments it has.
    pub annotations: (usize, usize),
}
