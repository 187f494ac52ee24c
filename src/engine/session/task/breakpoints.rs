//! Breakpoints of a run: checked when a step is finished, or, for `off_path`, when its distance is known.

use super::SessionTask;
use crate::engine::breakpoints::Breakpoint;
use crate::engine::distance::PathVerdict;
use crate::engine::driver::Driver;
use crate::engine::error_analysis::FinishedStep;
use crate::engine::snapshot::Mode;

impl SessionTask {
    /// Pauses if this step meets a breakpoint.
    pub(super) fn check_breakpoints(&mut self, step: FinishedStep, driver: &Driver) {
        if self.breakpoints.is_empty() || driver.episode().ending().is_some() {
            return;
        }
        match self.breakpoints.stop_reason(step) {
            Some(reason) => self.stop(&reason),
            None => self.off_path_check = self.breakpoints.has(Breakpoint::OffPath).then_some(step.index),
        }
    }

    /// Pauses if the step that waits for its distance left the shortest path. The last step of a counted run is
    /// checked while the session is paused already.
    pub(super) fn check_off_path(&mut self) {
        let Some(index) = self.off_path_check else { return };
        match self.analysis.distances().path_verdict(index) {
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
