//! Runs the cells of a sweep: claims one cell after another, plays its episodes, several at once over all cells, and ends
//! the claim. Any number of processes can do this with the same folder.
//!
//! An episode that the model server failed is tried again later; it is never scored. A cell that cannot be completed is
//! marked as failed or parked, and the others go on.

mod active_cell;
mod adopt;
mod begin;
mod event;
mod heartbeats;
mod ordered;
mod prepared;
mod scheduler;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

pub(crate) use self::adopt::is_copy;
pub use self::event::{SweepEnd, SweepEvent};
pub use self::prepared::{PreparedSweep, share_permits_of};
use self::scheduler::Scheduler;
use super::claims::Claims;
use super::orders::FollowedOrders;
use super::plan::SweepPlan;
use mageyard_engine::{Breakpoints, Store};
use mageyard_lab::{Lab, RunEnds, RunTask, Spending};

/// How the cells of a sweep are run.
pub struct SweepRunOptions {
    /// The number of failures of the model server in a row after which a cell that fails stops the run; 0 for no limit.
    pub failure_limit: u32,
    /// What parks an episode.
    pub breakpoints: Breakpoints,
    /// How often an episode that the model server failed is tried again.
    pub retries: u32,
    /// The time before the first of these tries; each further time is twice as long.
    pub retry_delay: Duration,
    /// What the episodes spend together. A limit that is reached stops the run.
    pub spending: Arc<Spending>,
    /// The orders of the sweep, with the limits of this process.
    pub orders: FollowedOrders,
    /// Whether to wait until the cells of other processes have ended, and to take over those whose process stops.
    pub waits_for_others: bool,
}

/// A run under way.
pub type SweepRun = RunTask<SweepEvent, SweepEnd>;

/// Starts to run the cells of a plan on the current Tokio runtime. `folder` is that of the sweep, and `claims` has its
/// cells. Orders that people give meanwhile are followed. Cancelling `stop` leaves each episode in a state that can be resumed, and gives the cells back.
pub fn run_sweep(
    lab: &Lab,
    plan: Arc<SweepPlan>,
    folder: PathBuf,
    claims: Claims,
    options: SweepRunOptions,
    stop: &CancellationToken,
) -> SweepRun {
    let (sender, events) = mpsc::channel(options.orders.limits().jobs.max(1));
    let ends = RunEnds { stop: stop.child_token(), drain: CancellationToken::new() };
    let stop = ends.stop.clone();
    let scheduler = Scheduler::new(lab.clone(), plan, Store::new(folder), claims, options, ends, sender);
    RunTask::start(scheduler.run(), events, stop)
}
