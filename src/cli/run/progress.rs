//! A progress bar on standard error for several episodes at once, if that is a terminal.

use std::io::IsTerminal;

use indicatif::ProgressBar;
use indicatif::ProgressStyle;

use super::counts::BatchCounts;
use crate::cli::appearance::is_dumb_terminal;

/// The progress of a run; removed at the end.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for this many episodes, if more than one runs at once.
    pub(super) fn new(episodes: usize, jobs: usize) -> Self {
        let visible = episodes.min(jobs) > 1 && std::io::stderr().is_terminal() && !is_dumb_terminal();
        Self(visible.then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} episodes{msg}");
            let bar = ProgressBar::new(episodes as u64);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }))
    }

    /// Shows how many episodes have ended.
    pub(super) fn show(&self, counts: &BatchCounts) {
        if let Some(bar) = &self.0 {
            bar.set_message(counts.remarks());
            bar.set_position(counts.ended() as u64);
        }
    }

    /// Removes the bar while something is printed.
    pub(super) fn hide_while<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar for good.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}
