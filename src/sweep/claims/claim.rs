//! A cell that this worker owns, and how a claim ends.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::control::{NOTES, queue_path};
use super::error::ClaimError;
use super::lease::Lease;
use mageyard_engine::WriteGuard;

/// A cell that this worker owns until it finishes the claim, or until its lease has ended and another worker took over.
///
/// A claim that is dropped is not finished: another worker takes the cell over when the lease has ended.
pub struct Claim {
    lease: Arc<Lease>,
    /// Whether another worker began to work on the cell and did not finish. Its journals were replaced by copies.
    pub taken_over: bool,
}

/// How a claim ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All episodes are over.
    Done,
    /// It cannot be completed now.
    Failed(Reason),
    /// An episode waits for a person.
    Parked(Reason),
    /// It goes back to the queue.
    Release,
}

/// Why a cell failed or was parked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The class of the failure, such as that of the model server; reports count by it.
    pub class: String,
    /// A sentence.
    pub text: String,
}

impl Claim {
    pub(super) fn new(lease: Lease, taken_over: bool) -> Self {
        Self { lease: Arc::new(lease), taken_over }
    }

    /// The cell.
    pub fn cell(&self) -> &str {
        self.lease.cell()
    }

    /// How often the cell was claimed, this claim included.
    pub fn generation(&self) -> u32 {
        self.lease.held().generation
    }

    /// The lease, to renew it from elsewhere.
    pub fn lease(&self) -> Arc<Lease> {
        self.lease.clone()
    }

    /// Guards the journals of the cell: they refuse to write once the claim has ended.
    pub fn guard(&self) -> Arc<dyn WriteGuard> {
        self.lease.clone()
    }

    /// Renews the lease; see [`Lease::heartbeat`].
    pub fn heartbeat(&self) -> Result<(), ClaimError> {
        self.lease.heartbeat()
    }

    /// Ends the claim. Writes are refused from now on. After an error other than [`ClaimError::Lost`] the claim goes on
    /// and the call can be repeated.
    pub fn finish(&self, end: &End) -> Result<(), ClaimError> {
        let control = self.lease.control();
        let held = self.lease.held();
        let target = match end {
            End::Release => queue_path(&held.cell, held.generation),
            End::Done => format!("done/{held}"),
            End::Failed(_) => format!("failed/{held}"),
            End::Parked(_) => format!("parked/{held}"),
        };
        // The note belongs to this claim alone, so it does no harm if the claim is lost meanwhile.
        if let End::Failed(reason) | End::Parked(reason) = end {
            let path = format!("{NOTES}/{held}");
            let text = serde_json::to_vec(reason).map_err(|error| control.disk(&path, error.into()))?;
            control.folder.replace(&path, &text).map_err(|source| control.disk(&path, source))?;
        }
        self.lease.move_to(&target)?;
        control.sync(target.split('/').next().unwrap_or(&target));
        Ok(())
    }
}
