//! The clock of leases.
//!
//! It counts the time in which the machine was suspended, so that the lease of such a machine runs out.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A clock that never goes back and need not agree with the clock of any other machine.
pub trait Clock: Send + Sync {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The time since this machine started, in which the time that it was suspended counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct BootClock;

#[cfg(any(target_os = "linux", target_os = "android"))]
const CLOCK: ClockId = ClockId::Boottime;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const CLOCK: ClockId = ClockId::Monotonic;

impl Clock for BootClock {
    fn now(&self) -> Duration {
        let time = clock_gettime(CLOCK);
        Duration::new(
            u64::try_from(time.tv_sec).unwrap_or_default(),
            u32::try_from(time.tv_nsec).unwrap_or_default(),
        )
    }
}
