//! Progress on standard error, if that is a terminal: a bar for several episodes at once, and above it what they wait
//! for, in one line that is replaced.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar};

use super::counts::BatchCounts;
use crate::progress_bar::{bar, is_shown, style};
use mageyard_domain::sanitize;
use mageyard_engine::Wait;
use mageyard_lab::EpisodeWait;

/// The progress of a run; removed at the end.
pub(super) struct Progress {
    is_terminal: bool,
    lines: MultiProgress,
    /// For several episodes at once.
    bar: Option<ProgressBar>,
    /// The line of a wait, while one is shown.
    wait_line: Option<ProgressBar>,
}

impl Progress {
    /// A bar for this many episodes, if more than one runs at once.
    pub(super) fn new(episodes: usize, jobs: usize) -> Self {
        let is_terminal = is_shown();
        let lines = MultiProgress::new();
        let bar = (is_terminal && episodes.min(jobs) > 1).then(|| {
            let bar = lines.add(bar(episodes, "{wide_bar} {pos} of {len} episodes{msg}"));
            bar.tick();
            bar
        });
        Self { is_terminal, lines, bar, wait_line: None }
    }

    /// Shows how many episodes have ended.
    pub(super) fn show(&self, counts: &BatchCounts) {
        if let Some(bar) = &self.bar {
            bar.set_message(counts.remarks());
            bar.set_position(counts.ended() as u64);
        }
    }

    /// Shows what the episodes wait for in place of what was shown before. `false` if this is not a terminal.
    pub(super) fn show_waits(&mut self, waits: &[EpisodeWait]) -> bool {
        if !self.is_terminal {
            return false;
        }
        match notable(waits) {
            Some(EpisodeWait { reference, wait, .. }) => {
                self.show_line(sanitize(&format!("{reference}: {wait}")).into_owned());
            }
            None => self.clear_line(),
        }
        true
    }

    fn show_line(&mut self, text: String) {
        let line = self.wait_line.get_or_insert_with(|| {
            let line = ProgressBar::new_spinner();
            self.lines.insert(0, line.with_style(style("{wide_msg}")))
        });
        line.set_message(text);
        line.tick();
    }

    fn clear_line(&mut self) {
        if let Some(line) = self.wait_line.take() {
            line.finish_and_clear();
            self.lines.remove(&line);
        }
    }

    /// Removes the bar while something is printed.
    pub(super) fn hide_while<T>(&mut self, print: impl FnOnce() -> T) -> T {
        self.clear_line();
        if self.is_terminal { self.lines.suspend(print) } else { print() }
    }

    /// Removes the bar for good.
    pub(super) fn end(&mut self) {
        self.clear_line();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// The wait that is shown: the retry that is due last, or the reply that is waited for longest, if it is long.
fn notable(waits: &[EpisodeWait]) -> Option<&EpisodeWait> {
    let rank = |wait: &&EpisodeWait| match wait.wait {
        Wait::Retry { seconds, .. } => (1, Duration::from_secs(seconds)),
        Wait::Reply { seconds, .. } => (0, Duration::from_secs(seconds)),
    };
    let shown = |wait: &&EpisodeWait| !matches!(wait.wait, Wait::Reply { seconds: 0..=1, .. });
    waits.iter().filter(shown).max_by_key(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retry_is_shown_before_a_slow_reply_and_a_short_wait_is_not() {
        let wait = |index, wait| EpisodeWait { index, reference: String::new(), wait };
        let retry = |seconds| Wait::Retry { seconds, attempt: 2, most: 2, why: String::new() };
        let waits = [
            wait(0, Wait::Reply { seconds: 60, attempt: 1, most: 1 }),
            wait(1, retry(1)),
            wait(2, retry(7)),
            wait(3, retry(3)),
        ];
        assert_eq!(notable(&waits).map(|wait| wait.index), Some(2));
        assert_eq!(notable(&waits[..1]).map(|wait| wait.index), Some(0));
        assert!(notable(&[wait(0, Wait::Reply { seconds: 1, attempt: 1, most: 1 })]).is_none());
    }
}
