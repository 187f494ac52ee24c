//! Renews the leases of all cells that this process owns, in a task of its own, so that a busy scheduler loses none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::claims::Lease;

/// The leases, each with what stops the work on its cell.
type Leases = Arc<Mutex<Vec<(Arc<Lease>, CancellationToken)>>>;

/// Renews leases until it is dropped.
pub(super) struct Heartbeats {
    leases: Leases,
    task: JoinHandle<()>,
}

impl Heartbeats {
    /// Renews each lease that is added once in each such interval.
    pub(super) fn start(interval: Duration) -> Self {
        let leases = Leases::default();
        let task = tokio::spawn(renew_all(leases.clone(), interval));
        Self { leases, task }
    }

    /// Renews this lease too; `lost` is cancelled when another process has taken the cell over.
    pub(super) fn add(&self, lease: Arc<Lease>, lost: CancellationToken) {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner).push((lease, lost));
    }

    /// No longer renews the lease of this cell.
    pub(super) fn remove(&self, cell: &str) {
        let mut leases = self.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.retain(|(lease, _)| lease.cell() != cell);
    }
}

impl Drop for Heartbeats {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn renew_all(leases: Leases, interval: Duration) {
    loop {
        tokio::time::sleep(interval).await;
        let all = leases.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // A network file system may take long.
        let renewed = tokio::task::spawn_blocking(move || {
            for lease in &all {
                renew(lease);
            }
        });
        // A panic in it leaves nothing to do: the leases end.
        let _ = renewed.await;
    }
}

fn renew((lease, lost): &(Arc<Lease>, CancellationToken)) {
    match lease.heartbeat() {
        Ok(()) => {}
        Err(error) if error.is_lost() => lost.cancel(),
        Err(error) => tracing::warn!(%error, "a lease could not be renewed; it is tried again"),
    }
}
