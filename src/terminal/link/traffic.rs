//! How many bytes were written to the terminal: in all, for a step, and in the last seconds.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The time over which the bytes a second are counted.
const WINDOW: Duration = Duration::from_secs(5);
/// The most writes that are remembered.
const MAX_WRITES: usize = 512;

/// The bytes written to the terminal.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    total: usize,
    /// Since the newest step appeared.
    step: usize,
    /// Of the step before.
    last_step: usize,
    /// The number of steps of the shown episode.
    steps: usize,
    recent: VecDeque<(Instant, usize)>,
}

impl Traffic {
    /// So many bytes were written while the shown episode had so many steps.
    pub fn add(&mut self, bytes: usize, steps: usize, now: Instant) {
        if steps != self.steps {
            self.last_step = std::mem::take(&mut self.step);
            self.steps = steps;
        }
        self.total += bytes;
        self.step += bytes;
        if self.recent.len() == MAX_WRITES {
            self.recent.pop_front();
        }
        self.recent.push_back((now, bytes));
    }

    /// `1.2 KB this step, 0.9 KB the last, 2.1 KB/s, 24.0 KB in all`.
    pub fn describe(&self, now: Instant) -> String {
        let recent = self.recent.iter().filter(|(at, _)| now.saturating_duration_since(*at) <= WINDOW);
        let rate = super::to_number(recent.map(|(_, bytes)| bytes).sum()) / WINDOW.as_secs_f64();
        let [step, last, total] =
            [self.step, self.last_step, self.total].map(super::to_number).map(size_text);
        format!("{step} this step, {last} the last, {}/s, {total} in all", size_text(rate))
    }
}

/// A number of bytes in thousands or millions: `0.4 KB`, `12.0 KB`, `3.1 MB`.
pub(crate) fn size_text(bytes: f64) -> String {
    if bytes < 1e6 { format!("{:.1} KB", bytes / 1e3) } else { format!("{:.1} MB", bytes / 1e6) }
}
