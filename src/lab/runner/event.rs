//! What happens in the episodes of a run.

use std::sync::Arc;

use crate::{EpisodeId, LabError};
use mageyard_domain::RewardTerms;
use mageyard_engine::{DriverError, EpisodeSummary, Head, Step};

/// An event of one episode of a run. The events of one episode are in order; those of different episodes mix.
pub struct EpisodeEvent {
    /// The index of the episode in the plan.
    pub index: usize,
    /// The episode.
    pub id: EpisodeId,
    /// What happened.
    pub event: RunEvent,
}

/// What happened in an episode. The last event of each episode that was begun is one of those that end it.
pub enum RunEvent {
    /// A remark: a torn journal, or a breakpoint that could not be checked.
    Note(String),
    /// A step was completed; with what the terms of its reward are, if the environment names them.
    Step(Arc<Head>, Arc<Step>, Option<RewardTerms>),
    /// The end: it is over.
    Finished(Box<FinishedEpisode>),
    /// The end: it was parked at a breakpoint, for this reason.
    Parked(Arc<Head>, String),
    /// The end: it failed and can be resumed.
    Failed(Arc<Head>, DriverError),
    /// The end: the run was stopped; it can be resumed.
    Stopped,
    /// The end: it could not be opened or left in order.
    Refused(LabError),
    /// The end: a bug in this program; other episodes go on.
    Crashed,
}

/// An episode that is over.
pub struct FinishedEpisode {
    /// The settings it was started with.
    pub head: Arc<Head>,
    /// Its results.
    pub summary: EpisodeSummary,
}

impl RunEvent {
    /// Whether this is the last event of its episode.
    pub fn is_end(&self) -> bool {
        !matches!(self, Self::Note(_) | Self::Step(..))
    }
}
