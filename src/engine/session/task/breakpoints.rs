//! Breakpoints of a run: checked when a step is finished, or, for `off_path`, when its distance is known.

use super::SessionTask;
use crate::engine::breakpoints::Breakpoint;
use crate::engine::distance::Distances;
use crate::engine::distance::PathVerdict;
use crate::engine::driver::Driver;
use crate::engine::error_analysis::ErrorAnalysis;
use crate::engine::error_analysis::analyze;
use crate::engine::snapshot::Mode;

impl SessionTask {
    /// The errors that are known without a distance search.
    pub(super) fn analyze(&self, driver: &Driver) -> ErrorAnalysis {
        let episode = driver.episode();
        analyze(episode, self.kind, episode.head().conduct.thresholds)
    }

    /// Pauses if the step after the first `done` ones meets a breakpoint. `before` is the analysis up to those.
    pub(super) fn check_breakpoints(&mut self, before: &ErrorAnalysis, done: u32, driver: &Driver) {
        if self.breakpoints.is_empty() || driver.episode().ending().is_some() {
            return;
        }
        let index = usize::try_from(done).unwrap_or(usize::MAX);
        match self.breakpoints.stop_reason(before, &self.analyze(driver), index) {
            Some(reason) => self.stop(&reason),
            None => self.off_path_check = self.breakpoints.has(Breakpoint::OffPath).then_some(index),
        }
    }

    /// Pauses if the step that waits for its distance left the shortest path. The last step of a counted run is
    /// checked while the session is paused already.
    pub(super) fn check_off_path(&mut self, distances: &Distances) {
        let Some(index) = self.off_path_check else { return };
        match distances.path_verdict(index) {
            None => return,
            Some(PathVerdict::OnPath) => {}
            Some(PathVerdict::OffPath(detour)) => self.stop(&detour.to_string()),
            Some(PathVerdict::Unknown) => {
                self.unjudged_step = Some(format!(
                    "breakpoint off_path not checked at step {}: the distance is unknown",
                    index + 1
                ));
            }
        }
        self.off_path_check = None;
    }

    fn stop(&mut self, reason: &str) {
        self.break_reason = Some(format!("stopped: {reason}"));
        self.mode = Mode::Paused;
    }
}
