//! Claims: which of many processes works on which cell of a sweep, agreed by renaming files in a shared folder.
//!
//! A state is a subfolder, and a cell is in the one that has its file. All that the protocol needs is in the names of
//! the files: `queue/CELL.GENERATION`, `claimed/CELL.WORKER.GENERATION.HEARTBEAT`, and `done`, `failed` and `parked`
//! with `CELL.WORKER.GENERATION`. Every change is one atomic renaming from the exact name that was seen, so of several
//! processes one succeeds, also on a network file system without locks.
//!
//! The owner renames its claim to the next heartbeat every few seconds and may write until a lease after the *start* of
//! the last one, on its own clock. A worker that has seen the same heartbeat for the lease and a margin, on *its* own
//! clock, renames the claim to its own name; it does so at once if it is certain that the owner's process has ended (see
//! `processes`). Only durations are compared, never the clocks of two machines. A heartbeat
//! is a renaming too, not a new file: a heartbeat and a takeover exclude each other, and a late owner cannot bring its
//! claim back.
//!
//! A process that is stopped between the check of its lease and its write can write late. So the new owner replaces the
//! journals of the cell by copies before it writes; the late write goes to a file that no longer has a name. An owner that
//! was stopped while it did this cannot do it late either: see `fence`.
//!
//! - A renaming on NFS may be done and reported as not found, because the request was repeated: the target, whose
//!   name only this worker uses, decides.
//! - All workers use the times in `claims.json`: one with a shorter lease would take cells over too early.
//! - That all cells have ended needs every cell seen in an end state; that it is in no other state proves nothing.
//!
//! Known limits. A process that is stopped between the check of its lease and cutting off a torn line could cut the
//! file of its successor, where the file system has no locks. A machine whose clock stops while it is paused from
//! outside is held back by the fence only. The simulation runs this code, and fails with each weaker protocol that
//! was tried.

mod add;
mod claim;
mod clock;
mod control;
mod error;
mod fence;
mod folder;
mod lease;
mod name;
mod next;
mod order;
mod processes;
mod requeue;
#[cfg(test)]
mod simulation;
mod states;
#[cfg(test)]
mod tests;
mod timing;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

pub use self::claim::{Claim, End, Reason};
pub use self::clock::{BootClock, Clock};
use self::control::{Control, SUBFOLDERS, WORKERS};
pub use self::error::ClaimError;
pub use self::folder::{ControlFolder, DiskFolder};
pub use self::lease::Lease;
pub use self::name::{MAX_CELL_NAME, WorkerName, check_cell_name};
pub use self::next::Next;
use self::next::Search;
use self::order::CellOrder;
pub use self::processes::{MachineProcesses, Processes};
pub use self::states::{CellState, State, cell_states, cells_at_work};
pub use self::timing::Timing;
use self::timing::shared_timing;
use crate::orders::RequeuedCell;

/// The control folder in the folder of a sweep.
pub const CONTROL_FOLDER: &str = ".sweep";

/// The cells of a sweep as one worker claims them.
pub struct Claims {
    control: Control,
    search: Search,
}

impl Claims {
    /// The claims in the folder of a sweep, which is created if necessary. `label` is part of the worker's name, such as
    /// the host and the number of the process. `timing` is that of a new sweep; an existing one keeps its own, because
    /// all workers must have the same.
    pub fn open(sweep: &Path, label: &str, timing: Timing) -> Result<Self, ClaimError> {
        let root = sweep.join(CONTROL_FOLDER);
        let folder = DiskFolder::create(&root, &SUBFOLDERS)
            .map_err(|source| ClaimError::Disk { path: root, source })?;
        // The hasher has a random state; a process that starts again needs a name that was never used.
        let worker = WorkerName::unique(label, RandomState::new().hash_one(label));
        Self::with(Arc::new(folder), Arc::new(BootClock), Arc::new(MachineProcesses), worker, timing)
    }

    /// The claims in this control folder, with this clock, of this worker.
    pub fn with(
        folder: Arc<dyn ControlFolder>,
        clock: Arc<dyn Clock>,
        processes: Arc<dyn Processes>,
        worker: WorkerName,
        timing: Timing,
    ) -> Result<Self, ClaimError> {
        let timing = shared_timing(&*folder, timing)?;
        let control = Control { folder, clock, processes, timing, worker };
        if let Some(identity) = control.processes.own() {
            let path = format!("{WORKERS}/{}", control.worker);
            control.folder.replace(&path, &identity).map_err(|source| control.disk(&path, source))?;
        }
        Ok(Self { control, search: Search::default() })
    }

    /// This worker.
    pub fn worker(&self) -> &WorkerName {
        &self.control.worker
    }

    /// The times of this sweep.
    pub fn timing(&self) -> Timing {
        self.control.timing
    }

    /// Takes these cells, in this order and instead of earlier ones, as those that this worker can run, and queues those that were never added by
    /// any worker. Returns the number of new ones.
    pub fn add<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> Result<usize, ClaimError> {
        self.add_ordered(&Arc::new(CellOrder::new(cells)?))
    }

    /// Claims each of these cells only when the other cell beside it is done. While that one has failed or is parked, the
    /// cell stays in the queue and counts as ended.
    pub fn require<'a>(&mut self, cells: impl IntoIterator<Item = (&'a str, &'a str)>) {
        self.search.require(cells);
    }

    fn add_ordered(&mut self, order: &Arc<CellOrder>) -> Result<usize, ClaimError> {
        self.search.start(order.clone());
        add::add(&self.control, order)
    }

    /// Claims the next cell: the first in the queue in the order of the plan, otherwise one whose owner has stopped.
    pub fn claim_next(&mut self) -> Result<Next, ClaimError> {
        self.search.next(&self.control)
    }

    /// Notes the heartbeats of the other workers. [`Claims::claim_next`] does it too; a worker that is busy for long
    /// calls this now and then, so that it can take over a cell at once when it needs one.
    pub fn observe(&mut self) -> Result<(), ClaimError> {
        self.search.observe(&self.control).map(drop)
    }

    /// Moves the failed cells that `wanted` accepts back to the queue, and returns their names.
    pub fn requeue_failed(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, ClaimError> {
        requeue::requeue(&self.control, "failed", wanted)
    }

    /// Moves the parked cells that `wanted` accepts back to the queue, and returns their names.
    pub fn requeue_parked(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, ClaimError> {
        requeue::requeue(&self.control, "parked", wanted)
    }

    /// Moves the cells back to the queue that have failed or are parked since exactly these claims. Each claim is moved once,
    /// however many workers do it and how often. This worker then takes them in the order of the plan.
    pub fn requeue_ended(&mut self, cells: &[RequeuedCell]) -> Result<(), ClaimError> {
        self.search.forget_queue();
        requeue::requeue_ended(&self.control, cells)
    }
}
