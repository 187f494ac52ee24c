//! A progress bar on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::request::GenerateRequest;
use mageyard_lab::{GeneratedGroup, GroupRequest};
use mageyard_terminal::surroundings::is_dumb_terminal;

/// The progress bar of one group; removed at the end.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    noun: &'static str,
}

impl Progress {
    pub(super) fn new(request: &GenerateRequest, group: &GroupRequest) -> Self {
        let visible = std::io::stderr().is_terminal() && !is_dumb_terminal();
        let bar = visible.then(|| {
            let style = ProgressStyle::with_template("{prefix:10} {wide_bar} {pos} of {len} levels, {msg}");
            let bar = ProgressBar::new(group.count as u64).with_prefix(group.kind.name.clone());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let [_, noun] = request.generator.candidate_noun();
        Self { bar, noun }
    }

    pub(super) fn show(&self, group: &GeneratedGroup) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} {} tried", group.filter.tried(), self.noun));
            bar.set_position(group.levels.len() as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
