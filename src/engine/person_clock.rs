//! The clock of a person who decides: the time used in this step and in all.

use std::time::Duration;

use tokio::time::Instant;

/// The clock, while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonClock {
    /// When the step began for the person.
    pub since: Instant,
    /// The time that persons have used in the steps before.
    pub before: Duration,
}

impl PersonClock {
    /// The time used in this step and in all: `12 s, 95 s in all`.
    pub fn words(self, now: Instant) -> String {
        let used = now.saturating_duration_since(self.since);
        format!("{} s, {} s in all", used.as_secs(), (self.before + used).as_secs())
    }

    /// The time of the steps before, for a screen that does not count: `83 s before`.
    pub fn uncounted(self) -> String {
        format!("{} s before", self.before.as_secs())
    }

    /// When the seconds of this step change next.
    pub fn next_second(self, now: Instant) -> Instant {
        let used = now.saturating_duration_since(self.since);
        now + Duration::from_secs(1) - Duration::from_nanos(used.subsec_nanos().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_clock_counts_whole_seconds_and_changes_once_a_second() {
        let clock = PersonClock { since: Instant::now(), before: Duration::from_millis(83_400) };
        let later = |milliseconds| Instant::now() + Duration::from_millis(milliseconds);
        assert_eq!(clock.words(later(12_700)), "12 s, 96 s in all");
        assert_eq!(clock.next_second(later(12_700)), later(13_000));
        assert_eq!(clock.uncounted(), "83 s before");
    }
}
