//! The progress of an ask on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::surroundings::is_dumb_terminal;

/// A bar of the calls that came back; removed at the end.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn new(calls: usize) -> Self {
        let is_shown = std::io::stderr().is_terminal() && !is_dumb_terminal();
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} calls");
        Self(is_shown.then(|| {
            let bar = ProgressBar::new(calls as u64);
            style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style))
        }))
    }

    pub(super) fn show(&self, done: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(done as u64);
        }
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
