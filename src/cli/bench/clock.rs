//! The clock for measurements.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread. Other programs affect it only through shared caches.
pub(super) fn thread_cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
