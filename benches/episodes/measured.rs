//! Measurements of this process.

use std::fs;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What was measured.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    requests: usize,
    wall: Duration,
    processor: Duration,
}

impl Measured {
    /// Measures work, which returns the number of its requests.
    pub(crate) async fn of(work: impl Future<Output = usize>) -> Self {
        let began = Instant::now();
        let before = processor_time();
        let requests = work.await;
        Self { requests, wall: began.elapsed(), processor: processor_time().saturating_sub(before) }
    }

    /// Requests a second.
    #[expect(clippy::cast_precision_loss, reason = "there are few requests")]
    pub(crate) fn rate(self) -> f64 {
        self.requests as f64 / self.wall.as_secs_f64()
    }

    /// Processor time of a request in milliseconds.
    #[expect(clippy::cast_precision_loss, reason = "there are few requests")]
    pub(crate) fn milliseconds(self) -> f64 {
        self.processor.as_secs_f64() * 1000.0 / self.requests as f64
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The peak of the resident memory, in megabytes.
pub(crate) fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The number of processes that wanted a core during the last minute.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("?").to_owned()
}
