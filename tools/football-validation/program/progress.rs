//! A progress bar on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// Counts episodes; removed at the end.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn new(episodes: usize) -> Self {
        let visible =
            std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self(visible.then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} episodes");
            let bar = ProgressBar::new(episodes as u64);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }))
    }

    pub(super) fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
