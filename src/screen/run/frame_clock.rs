//! The clock of frames that are shown in real time. A frame that is drawn late delays no other one: on a slow terminal
//! the frames in between are left out, and nothing waits in a queue.

use std::time::Duration;

use tokio::time::Instant;

/// When the next frame is due.
#[derive(Debug, Default)]
pub(super) struct FrameClock {
    next: Option<Next>,
    /// When the frame that is shown was due.
    shown: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct Next {
    due: Instant,
    interval: Duration,
}

impl FrameClock {
    /// When the next frame is due, if the clock is running.
    pub(super) fn due(&self) -> Option<Instant> {
        self.next.map(|next| next.due)
    }

    /// Sets the time of the next frame: an interval after the shown one was due, unless that was long ago.
    pub(super) fn start(&mut self, interval: Duration, now: Instant) {
        let last = self.shown.take().filter(|shown| *shown + interval > now);
        self.next = Some(Next { due: last.unwrap_or(now) + interval, interval });
    }

    /// How many intervals have passed, once the next frame is due. The clock stops then.
    pub(super) fn passed(&mut self, now: Instant) -> Option<u32> {
        let Next { due, interval } = self.next.take_if(|next| next.due <= now)?;
        let late = (now - due).as_nanos().checked_div(interval.as_nanos()).unwrap_or(0);
        let late = u32::try_from(late).unwrap_or(u32::MAX - 1);
        self.shown = Some(due + interval.saturating_mul(late));
        Some(late + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(100);

    fn after(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    #[tokio::test(start_paused = true)]
    async fn frames_stay_on_the_grid_of_the_first_one() {
        let start = Instant::now();
        let mut clock = FrameClock::default();
        clock.start(INTERVAL, start);
        assert_eq!((clock.due(), clock.passed(after(start, 99))), (Some(after(start, 100)), None));
        assert_eq!((clock.passed(after(start, 130)), clock.due()), (Some(1), None));
        clock.start(INTERVAL, after(start, 140));
        assert_eq!(clock.due(), Some(after(start, 200)));
    }

    #[tokio::test(start_paused = true)]
    async fn late_frames_are_counted_and_left_out() {
        let start = Instant::now();
        let mut clock = FrameClock::default();
        clock.start(INTERVAL, start);
        assert_eq!(clock.passed(after(start, 470)), Some(4));
        clock.start(INTERVAL, after(start, 480));
        assert_eq!(clock.due(), Some(after(start, 500)));
        assert_eq!(clock.passed(after(start, 500)), Some(1));
        clock.start(INTERVAL, after(start, 2000));
        assert_eq!(clock.due(), Some(after(start, 2100)), "a pause begins a new grid");
    }

    #[tokio::test(start_paused = true)]
    async fn an_interval_of_no_length_is_one_interval() {
        let start = Instant::now();
        let mut clock = FrameClock::default();
        clock.start(Duration::ZERO, start);
        assert_eq!(clock.passed(after(start, 5)), Some(1));
    }
}
