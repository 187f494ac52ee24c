//! What all parts of the protocol share: the control folder with the paths in it, the clock, and this worker.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::io;
use std::sync::Arc;

use super::clock::Clock;
use super::error::ClaimError;
use super::folder::ControlFolder;
use super::name::{Held, WorkerName};
use super::processes::Processes;
use super::timing::Timing;

/// The cells that were ever added, each with the name of the worker that did it.
pub(super) const KNOWN: &str = "known";
/// Cells that are being added.
pub(super) const ADDING: &str = "adding";
/// Cells that can be claimed.
pub(super) const QUEUE: &str = "queue";
/// Cells with an owner.
pub(super) const CLAIMED: &str = "claimed";
/// Why cells failed or were parked.
pub(super) const NOTES: &str = "notes";
/// Where new owners copy journals.
pub(super) const FENCING: &str = "fencing";
/// The states in which a cell stays until somebody requeues it.
pub(super) const ENDED: [&str; 3] = ["done", "failed", "parked"];
/// The processes of the workers.
pub(super) const WORKERS: &str = "workers";
/// All subfolders.
pub(super) const SUBFOLDERS: [&str; 10] =
    [KNOWN, ADDING, QUEUE, CLAIMED, NOTES, FENCING, WORKERS, ENDED[0], ENDED[1], ENDED[2]];

/// The control folder as this worker uses it.
#[derive(Clone)]
pub(super) struct Control {
    pub(super) folder: Arc<dyn ControlFolder>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) processes: Arc<dyn Processes>,
    pub(super) timing: Timing,
    pub(super) worker: WorkerName,
}

impl Control {
    /// The names in a subfolder.
    pub(super) fn list(&self, subfolder: &str) -> Result<Vec<String>, ClaimError> {
        self.folder.list(subfolder).map_err(|source| disk(&*self.folder, subfolder, source))
    }

    /// Renames a file, if it still exists. A network file system may repeat a request whose reply was lost, and then say
    /// that the file does not exist although it was renamed; so the target, whose name only this worker uses, decides.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<bool, ClaimError> {
        match self.folder.rename(from, to) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.exists(to),
            Err(source) => Err(self.disk(from, source)),
        }
    }

    pub(super) fn exists(&self, path: &str) -> Result<bool, ClaimError> {
        self.folder.exists(path).map_err(|source| self.disk(path, source))
    }

    pub(super) fn disk(&self, path: &str, source: io::Error) -> ClaimError {
        disk(&*self.folder, path, source)
    }

    /// Makes the names in a subfolder survive a power failure. The change itself has happened, so an error is only
    /// logged: without it the last cells may run again after a power failure of the file server.
    pub(super) fn sync(&self, subfolder: &str) {
        if let Err(error) = self.folder.sync(subfolder) {
            tracing::warn!(%error, subfolder, "the control folder of the sweep cannot be flushed to disk");
        }
    }
}

fn disk(folder: &dyn ControlFolder, path: &str, source: io::Error) -> ClaimError {
    ClaimError::Disk { path: folder.root().join(path), source }
}

/// The error for a file with a name that is none of this program's.
pub(super) fn foreign(folder: &dyn ControlFolder, subfolder: &str, name: &str) -> ClaimError {
    let why =
        "the name of this file is not that of a cell of the sweep; move it out of the folder".to_owned();
    ClaimError::Foreign { path: folder.root().join(subfolder).join(name), why }
}

/// The path of a claim with this heartbeat.
pub(super) fn claim_path(held: &Held, beat: u64) -> String {
    format!("{CLAIMED}/{held}.{beat}")
}

/// The path of a cell in the queue.
pub(super) fn queue_path(cell: &str, generation: u32) -> String {
    format!("{QUEUE}/{cell}.{generation}")
}

/// A number below `limit` that differs between workers; 0 if the limit is 0.
pub(super) fn own_number(of: &impl Hash, limit: usize) -> usize {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(of);
    usize::try_from(hash % limit.max(1) as u64).unwrap_or_default()
}
