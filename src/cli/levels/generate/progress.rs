//! A progress bar on standard error, if that is a terminal.

use indicatif::ProgressBar;

use super::request::GenerateRequest;
use crate::progress_bar::{bar, is_shown};
use mageyard_lab::{GeneratedGroup, GroupRequest};

/// The progress bar of one group; removed at the end.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    noun: &'static str,
}

impl Progress {
    pub(super) fn new(request: &GenerateRequest, group: &GroupRequest) -> Self {
        let bar = is_shown().then(|| {
            let bar = bar(group.count, "{prefix:10} {wide_bar} {pos} of {len} levels, {msg}");
            bar.with_prefix(group.kind.name.clone())
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
