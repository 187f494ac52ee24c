//! The control of a run: whether it goes on, for how many steps, and which breakpoints pause it. A breakpoint is
//! checked in its phase of a step, by default when the step is finished; one that needs a distance, when that is known.

use std::sync::Arc;

use crate::breakpoints::{BreakVerdict, Breakpoints, DueEffect, History, Phase};
use crate::condition::StepView;
use crate::episode::Episode;
use crate::episode_analysis::EpisodeAnalysis;
use crate::error_analysis::{FinishedStep, MarkSet};
use crate::head::Head;
use crate::snapshot::Mode;
use crate::step::Steps;

/// What a run is controlled by, beside the driver.
pub struct RunControl {
    analysis: EpisodeAnalysis,
    mode: Mode,
    breakpoints: Breakpoints,
    /// When each breakpoint was true, in their order.
    histories: Vec<History>,
    /// The step whose distance must be known before the run continues.
    unchecked: Option<Unchecked>,
    /// The step and the phase that were checked last within a step.
    checked: Option<(usize, Phase)>,
    break_reason: Option<String>,
    unjudged_step: Option<String>,
    /// The effects of breakpoints that are not carried out yet.
    effects: Vec<DueEffect>,
    /// What effects have done, in words, since that was last taken.
    notes: Vec<String>,
}

/// A step that is to be compared with the breakpoints.
struct Unchecked {
    phase: Phase,
    step: FinishedStep,
    head: Arc<Head>,
    steps: Steps,
    prompt: String,
}

impl RunControl {
    pub(super) fn new(analysis: EpisodeAnalysis) -> Self {
        Self {
            analysis,
            mode: Mode::Paused,
            breakpoints: Breakpoints::default(),
            histories: Vec::new(),
            unchecked: None,
            checked: None,
            break_reason: None,
            unjudged_step: None,
            effects: Vec::new(),
            notes: Vec::new(),
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

    /// Takes the effects that are due.
    pub(super) fn take_effects(&mut self) -> Vec<DueEffect> {
        std::mem::take(&mut self.effects)
    }

    /// Takes note of what an effect has done. One that is not possible pauses the run.
    pub(super) fn note_effect(&mut self, reason: &str, done: Result<String, String>) {
        match done {
            Ok(done) => self.notes.push(format!("{reason}: {done}")),
            Err(why) => {
                self.break_reason = Some(format!("{reason}: not possible: {why}"));
                self.mode = Mode::Paused;
            }
        }
    }

    /// Takes what effects have done since the last call, in words.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Forgets the reasons of the last stop, because the run continues or is changed.
    pub fn clear_reasons(&mut self) {
        (self.break_reason, self.unjudged_step) = (None, None);
    }

    /// Runs for so many steps, or without a limit.
    pub(crate) fn run(&mut self, left: Option<u32>) {
        self.mode = Mode::Running { left };
    }

    pub(crate) fn pause(&mut self) {
        self.mode = Mode::Paused;
    }

    /// Replaces the breakpoints. Those that stay keep their counts.
    pub(crate) fn set_breakpoints(&mut self, breakpoints: Breakpoints) {
        self.unchecked = self.unchecked.take().filter(|_| breakpoints.need_distance());
        let history = |one| {
            let at = self.breakpoints.iter().position(|before| before == one)?;
            self.histories.get(at).copied()
        };
        self.histories = breakpoints.iter().map(|one| history(one).unwrap_or_default()).collect();
        self.breakpoints = breakpoints;
    }

    /// The episode continues by hand, so the last step no longer decides whether the run goes on.
    pub(crate) fn drop_check(&mut self) {
        self.unchecked = None;
    }

    /// Whether a breakpoint waits for the distance of the last step.
    pub(crate) fn awaits_distance(&self) -> bool {
        self.unchecked.is_some()
    }

    /// Starts the next distance search. Must be called within a Tokio runtime.
    pub(crate) fn start_search(&mut self) {
        self.analysis.start_search();
    }

    /// Waits for the next distance, for ever if none is searched. Cancel safe. The breakpoint that waits for it is
    /// checked.
    pub(crate) async fn next_distance(&mut self) {
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
        if !self.breakpoints.is_empty() && episode.end_of_play().is_none() {
            self.update(episode);
            if let Some(step) = self.analysis.newest() {
                self.begin_check(episode, Phase::AfterStep, step);
            }
        }
        if let Mode::Running { left: Some(left) } = self.mode {
            self.mode = match left.saturating_sub(1) {
                0 => Mode::Paused,
                left => Mode::Running { left: Some(left) },
            };
        }
    }

    /// Compares a step that is not finished with the breakpoints of this phase, once. True if the run must not continue:
    /// it is paused, or a distance is missing.
    pub(super) fn check_within(&mut self, episode: &Episode, phase: Phase) -> bool {
        let Some(index) = episode.steps().len().checked_sub(1) else { return false };
        let is_new = self.checked != Some((index, phase));
        if !is_new || !self.breakpoints.has_phase(phase) || episode.end_of_play().is_some() {
            return false;
        }
        self.checked = Some((index, phase));
        self.update(episode);
        let marks = self.analysis.errors().at(index);
        self.begin_check(episode, phase, FinishedStep { index, marks, continued: MarkSet::default() });
        self.unchecked.is_some() || self.break_reason.is_some()
    }

    fn begin_check(&mut self, episode: &Episode, phase: Phase, step: FinishedStep) {
        let head = episode.head().clone();
        let steps = episode.steps().clone();
        self.unchecked = Some(Unchecked { phase, step, head, steps, prompt: episode.prompt().to_owned() });
        self.check();
    }

    /// Compares the step that is not checked yet with the breakpoints. The last step of a counted run is checked while
    /// the run is paused already.
    fn check(&mut self) {
        let Some(Unchecked { phase, step, head, steps, prompt }) = &self.unchecked else { return };
        let view = StepView {
            annotations: None,
            head,
            steps,
            prompt,
            step: *step,
            is_finished: *phase == Phase::AfterStep,
            errors: self.analysis.errors(),
            distances: self.analysis.distances(),
            known: self.breakpoints.known(),
        };
        let check = self.breakpoints.check(&view, *phase, &self.histories);
        match check.verdict {
            BreakVerdict::NeedsDistance => return,
            BreakVerdict::Continue => {}
            BreakVerdict::Stop(reason) => {
                self.break_reason = Some(reason);
                self.mode = Mode::Paused;
            }
            BreakVerdict::Unknown(why) => self.unjudged_step = Some(why),
        }
        self.unchecked = None;
        for hit in check.hits {
            if let Some(history) = self.histories.get_mut(hit.breakpoint) {
                *history = history.hit(hit);
            }
        }
        let mut done: Vec<usize> = check.paused_by.into_iter().collect();
        for (index, effect) in check.effects {
            done.push(index);
            self.effects.push(effect);
        }
        done.retain(|index| self.breakpoints.is_once(*index));
        done.sort_unstable();
        for index in done.into_iter().rev() {
            self.breakpoints.remove(index);
            self.histories.remove(index);
        }
    }
}
