//! What happens while the cells of a sweep are run.

use std::time::Duration;

use crate::claims::End;
use crate::orders::GivenOrder;
use mageyard_agents::RepeatedFailure;
use mageyard_lab::EpisodeEvent;

/// An event of a sweep. `cell` is the index of a cell in the plan.
pub enum SweepEvent {
    /// This process has claimed a cell with this many episodes.
    Claimed {
        /// The cell.
        cell: usize,
        /// The number of its episodes, finished ones included.
        episodes: usize,
        /// Whether it was the cell of another process that has stopped.
        taken_over: bool,
    },
    /// Something happened in an episode of a cell.
    Episode(usize, EpisodeEvent),
    /// An episode that the model server failed is tried again after this time.
    Retry {
        /// The cell.
        cell: usize,
        /// Why it failed.
        why: String,
        /// When it is tried again.
        delay: Duration,
    },
    /// This process has ended its work on a cell.
    Ended(usize, End),
    /// Another process has taken a cell over, because this one stood still for too long.
    Lost(usize),
    /// All cells that are left belong to other processes.
    Waiting,
    /// This process follows an order from now on, or at its start one that is in force: a pause, a resume, new limits, or cells
    /// that are requeued. A cancel ends the run instead.
    Ordered(GivenOrder),
    /// No episode is started, because an order cannot be followed: why, and what to do.
    Blocked(String),
    /// The orders can be followed again.
    Unblocked,
}

/// How a run ended.
pub enum SweepEnd {
    /// No cell is left to claim.
    Complete,
    /// It was stopped from outside, or does not wait for the cells of other processes.
    Stopped,
    /// A limit of cost, tokens or time was reached: which, as a sentence.
    Limit(String),
    /// A person has cancelled the sweep: who, as a sentence.
    Cancelled(String),
    /// The model server failed too often in a row.
    Endpoint(RepeatedFailure),
    /// What was sent or recorded does not match: why.
    Mismatch(String),
}
