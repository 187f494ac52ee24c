//! A progress bar on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::ProgressBar;
use indicatif::ProgressStyle;

use super::generated::GeneratedGroup;
use crate::cli::appearance::is_dumb_terminal;

/// The progress bar of one group; removed at the end.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn new(name: &str, wanted: usize) -> Self {
        let visible = std::io::stderr().is_terminal() && !is_dumb_terminal();
        Self(visible.then(|| {
            let style = ProgressStyle::with_template("{prefix:10} {wide_bar} {pos} of {len} levels, {msg}");
            let bar = ProgressBar::new(wanted as u64).with_prefix(name.to_owned());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }))
    }

    pub(super) fn show(&self, group: &GeneratedGroup) {
        if let Some(bar) = &self.0 {
            bar.set_message(format!("{} rooms tried", group.filter.tried()));
            bar.set_position(group.levels.len() as u64);
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
