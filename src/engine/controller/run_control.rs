//! The control of a run: whether it goes on, for how many steps, and which breakpoints pause it. A breakpoint is
//! checked when a step is finished; one that needs a distance, when that is known.

use crate::engine::breakpoints::BreakVerdict;
use crate::engine::breakpoints::Breakpoints;
use crate::engine::breakpoints::StepReport;
use crate::engine::episode::Episode;
use crate::engine::episode_analysis::EpisodeAnalysis;
use crate::engine::error_analysis::FinishedStep;
use crate::engine::snapshot::Mode;

/// What a run is controlled by, beside the driver.
pub struct RunControl {
    analysis: EpisodeAnalysis,
    mode: Mode,
    breakpoints: Breakpoints,
    /// The step whose distance must be known before the run continues.
    unchecked: Option<FinishedStep>,
    break_reason: Option<String>,
    unjudged_step: Option<String>,
}

impl RunControl {
    pub(super) fn new(analysis: EpisodeAnalysis) -> Self {
        Self {
            analysis,
            mode: Mode::Paused,
            breakpoints: Breakpoints::default(),
            unchecked: None,
            break_reason: None,
            unjudged_step: None,
        }
    }

    /// The errors and distances of the episode so far.
    pub fn analysis(&self) -> &EpisodeAnalysis {
        &self.analysis
    }

    /// Whether it is running.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> &Breakpoints {
        &self.breakpoints
    }

    /// Which breakpoint stopped the run, and at which step.
    pub fn break_reason(&self) -> Option<&str> {
        self.break_reason.as_deref()
    }

    /// Which step a breakpoint could not judge.
    pub fn unjudged_step(&self) -> Option<&str> {
        self.unjudged_step.as_deref()
    }

    /// Forgets the reasons of the last stop, because the run continues or is changed.
    pub fn clear_reasons(&mut self) {
        (self.break_reason, self.unjudged_step) = (None, None);
    }

    /// Runs for so many steps, or without a limit.
    pub(in crate::engine) fn run(&mut self, left: Option<u32>) {
        self.mode = Mode::Running { left };
    }

    pub(in crate::engine) fn pause(&mut self) {
        self.mode = Mode::Paused;
    }

    pub(in crate::engine) fn set_breakpoints(&mut self, breakpoints: Breakpoints) {
        self.unchecked = self.unchecked.filter(|_| breakpoints.need_distance());
        self.breakpoints = breakpoints;
    }

    /// The episode continues by hand, so the last step no longer decides whether the run goes on.
    pub(in crate::engine) fn drop_check(&mut self) {
        self.unchecked = None;
    }

    /// Whether a breakpoint waits for the distance of the last step.
    pub(in crate::engine) fn awaits_distance(&self) -> bool {
        self.unchecked.is_some()
    }

    /// Starts the next distance search. Must be called within a Tokio runtime.
    pub(in crate::engine) fn start_search(&mut self) {
        self.analysis.start_search();
    }

    /// Waits for the next distance, for ever if none is searched. Cancel safe. The breakpoint that waits for it is
    /// checked.
    pub(in crate::engine) async fn next_distance(&mut self) {
        self.analysis.next_distance().await;
        self.check();
    }

    pub(super) async fn search_all(&mut self) {
        self.analysis.search_all().await;
        self.check();
    }

    /// Adds what happened in the episode.
    pub(super) fn update(&mut self, episode: &Episode) {
        self.analysis.update(episode);
    }

    /// Counts a finished step of a run, and compares it with the breakpoints.
    pub(super) fn finish_step(&mut self, episode: &Episode) {
        if !self.breakpoints.is_empty() && episode.ending().is_none() {
            self.update(episode);
            self.unchecked = self.analysis.newest();
            self.check();
        }
        if let Mode::Running { left: Some(left) } = self.mode {
            self.mode = match left.saturating_sub(1) {
                0 => Mode::Paused,
                left => Mode::Running { left: Some(left) },
            };
        }
    }

    /// Compares the step that is not checked yet with the breakpoints. The last step of a counted run is checked while
    /// the run is paused already.
    fn check(&mut self) {
        let Some(finished) = self.unchecked else { return };
        let report =
            StepReport { finished, errors: self.analysis.errors(), distances: self.analysis.distances() };
        match self.breakpoints.verdict(&report) {
            BreakVerdict::NeedsDistance => return,
            BreakVerdict::Continue => {}
            BreakVerdict::Stop(reason) => {
                self.break_reason = Some(reason);
                self.mode = Mode::Paused;
            }
            BreakVerdict::Unknown => {
                self.unjudged_step = Some(format!(
                    "breakpoint off_path not checked at step {}: the distance is unknown",
                    finished.index + 1
                ));
            }
        }
        self.unchecked = None;
    }
}
