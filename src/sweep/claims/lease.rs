//! A lease: the right of a worker to write to a cell, which heartbeats renew.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::control::{Control, claim_path};
use super::error::ClaimError;
use super::name::Held;
use mageyard_engine::WriteGuard;

/// The lease of one claim. It is shared by what renews it and by the journals that it guards.
pub struct Lease {
    control: Control,
    held: Held,
    beat: Mutex<Beat>,
    /// Until when this worker may write without looking at the claim, in nanoseconds of the clock; 0 once the claim has
    /// ended.
    until: AtomicU64,
}

/// The heartbeat as far as it is known.
pub(super) struct Beat {
    /// The number in the name of the claim's file, or one less if the outcome of the last heartbeat is unknown.
    count: u64,
    /// Whether the claim is lost or finished.
    ended: bool,
}

impl Lease {
    /// The lease of a claim that was made at `start`.
    pub(super) fn new(control: Control, held: Held, start: Duration) -> Self {
        let until = AtomicU64::new(nanos(start + control.timing.lease));
        Self { control, held, beat: Mutex::new(Beat { count: 0, ended: false }), until }
    }

    /// The cell.
    pub fn cell(&self) -> &str {
        &self.held.cell
    }

    /// How often a heartbeat is due.
    pub fn interval(&self) -> Duration {
        self.control.timing.heartbeat
    }

    /// Renews the lease. It fails with [`ClaimError::Lost`] if another worker has taken the cell over; after another
    /// error the lease goes on until it ends, and the next heartbeat tries again.
    pub fn heartbeat(&self) -> Result<(), ClaimError> {
        self.renew(&mut self.lock())
    }

    /// Renames the claim to the next heartbeat, which only the owner of the present name can do. The lease begins
    /// before the renaming, because other workers may see the new name as soon as it is made.
    fn renew(&self, beat: &mut Beat) -> Result<(), ClaimError> {
        while !beat.ended {
            let start = self.control.clock.now();
            let now = claim_path(&self.held, beat.count);
            let next = claim_path(&self.held, beat.count + 1);
            match self.control.folder.rename(&now, &next) {
                Ok(()) => {
                    beat.count += 1;
                    self.until.store(nanos(start + self.control.timing.lease), Ordering::Release);
                    return Ok(());
                }
                // An earlier heartbeat, or this one, happened without a reply. Others may have seen it since then, so
                // the lease begins with another one.
                Err(error)
                    if error.kind() == std::io::ErrorKind::NotFound && self.control.exists(&next)? =>
                {
                    beat.count += 1;
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => self.end(beat),
                Err(error) => return Err(self.control.disk(&now, error)),
            }
        }
        Err(self.lost())
    }

    /// Moves the claim to another state. No write is allowed from the beginning of this call on, unless it fails with an
    /// error other than [`ClaimError::Lost`].
    pub(super) fn move_to(&self, target: &str) -> Result<(), ClaimError> {
        let mut beat = self.lock();
        if beat.ended {
            return Err(self.lost());
        }
        self.until.store(0, Ordering::Release);
        let moved = self.move_claim(&mut beat, target)?;
        self.end(&mut beat);
        if moved { Ok(()) } else { Err(self.lost()) }
    }

    fn move_claim(&self, beat: &mut Beat, target: &str) -> Result<bool, ClaimError> {
        // At most two names are possible: the last known one, and that of a heartbeat without a reply.
        for _ in 0..2 {
            if self.control.rename(&claim_path(&self.held, beat.count), target)? {
                return Ok(true);
            }
            beat.count += 1;
        }
        Ok(false)
    }

    fn end(&self, beat: &mut Beat) {
        beat.ended = true;
        self.until.store(0, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, Beat> {
        self.beat.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lost(&self) -> ClaimError {
        ClaimError::Lost { cell: self.held.cell.clone() }
    }

    pub(super) fn held(&self) -> &Held {
        &self.held
    }

    pub(super) fn control(&self) -> &Control {
        &self.control
    }
}

impl WriteGuard for Lease {
    /// Compares the clock with the end of the lease. After its end a heartbeat decides; it may take long, so the clock is
    /// compared again.
    fn check(&self) -> Result<(), String> {
        while nanos(self.control.clock.now()) >= self.until.load(Ordering::Acquire) {
            self.heartbeat().map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
