//! The clock for measurements, and rates measured with it.

use std::time::Duration;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// The processor time of this thread. Other programs affect it only through shared caches.
pub(super) fn thread_cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Operations per second: each call of `work` performs some and returns their number. It is called repeatedly for at
/// least `least`, after one warm-up call that does not count.
pub(super) fn rate_per_second(
    clock: &dyn Fn() -> Duration,
    least: Duration,
    mut work: impl FnMut() -> u32,
) -> f64 {
    work();
    let (began, mut done) = (clock(), 0.0);
    loop {
        done += f64::from(work());
        let took = clock().saturating_sub(began);
        if took >= least && !took.is_zero() {
            return done / took.as_secs_f64();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_rate_is_work_per_time() {
        let now = Cell::new(Duration::ZERO);
        let work = || {
            now.set(now.get() + Duration::from_millis(200));
            50
        };
        assert_eq!(rate_per_second(&|| now.get(), Duration::from_secs(1), work), 250.0);
        assert_eq!(now.get(), Duration::from_millis(1200), "one warm-up call, then one second");
    }
}
