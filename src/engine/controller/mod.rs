//! The controller: plays an episode by halves of steps and by whole steps, and pauses it at breakpoints. The session
//! of the screen and the runs without a screen use the same one.
//!
//! It has two parts: the driver, which is busy while the agent or the environment is waited for, and the
//! [`RunControl`], which can be read and changed meanwhile.

mod companion;
mod effects;
mod run_control;

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::companion::Alone;
pub(super) use self::companion::Companion;
pub use self::run_control::RunControl;
use super::breakpoints::{Breakpoints, Phase};
use super::driver::{Advance, Driver, DriverError, Work};
use super::edit::{Edit, EditError, EditTarget};
use super::episode::{Episode, Need};
use super::episode_analysis::EpisodeAnalysis;
use super::live_reply::LiveWait;
use super::side::Purpose;
use super::snapshot::{Mode, RunState, SessionPlace, Snapshot, Waiting};
use super::summary::EpisodeSummary;
use mageyard_dialog::{OpenQuestion, PersonAnswer, PersonLine, PersonQuestion};
use mageyard_domain::{EnvironmentSpec, SearchLimits};

/// An episode under control.
pub struct Controller {
    spec: &'static dyn EnvironmentSpec,
    driver: Driver,
    control: RunControl,
}

impl Controller {
    /// A paused controller without breakpoints. `spec` is the environment of the episode; without limits no distance
    /// is searched.
    pub fn new(driver: Driver, spec: &'static dyn EnvironmentSpec, limits: Option<SearchLimits>) -> Self {
        let thresholds = driver.episode().head().conduct.thresholds;
        let analysis = EpisodeAnalysis::new(spec, thresholds, limits);
        Self { spec, driver, control: RunControl::new(analysis) }
    }

    /// The episode.
    pub fn episode(&self) -> &Episode {
        self.driver.episode()
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.driver.elapsed()
    }

    /// The summary of the episode, which is over: the one beside its journal, or a new one.
    pub fn take_summary(&mut self) -> EpisodeSummary {
        let written = self.driver.take_summary();
        written.unwrap_or_else(|| EpisodeSummary::of(self.episode(), self.spec, self.elapsed()))
    }

    /// What the agent waits for, readable while the controller is busy.
    pub fn live_wait(&self) -> LiveWait {
        LiveWait::new(self.driver.live_reply())
    }

    /// What controls the run.
    pub fn control(&self) -> &RunControl {
        &self.control
    }

    /// The question that waits for a person, if one does.
    pub fn open_question(&self) -> Option<OpenQuestion> {
        self.driver.open_question()
    }

    /// Takes the answer of a person to this question.
    pub(super) fn answer(
        &mut self,
        question: &PersonQuestion,
        answer: PersonAnswer,
    ) -> Result<(), DriverError> {
        let done = self.episode().steps_done();
        self.driver.answer(question, answer)?;
        self.end_half(done);
        Ok(())
    }

    /// Takes what a person wrote in a line as the answer to this question.
    pub fn answer_line(&mut self, question: &PersonQuestion, line: &str) -> Result<(), DriverError> {
        let written = match question.read_line(line)? {
            PersonLine::Answer(answer) => return self.answer(question, answer),
            PersonLine::Edit(written) => written,
        };
        let episode = self.episode();
        let Some(step) = episode.steps().last() else { return Err(EditError::NoAction.into()) };
        let action = step.space.parse(&written).map_err(EditError::NotAllowed)?;
        let actions = std::iter::once(action).chain(episode.plan().iter().cloned()).collect();
        let target = EditTarget::of(step);
        self.driver.edit(target, Edit::Actions(actions))
    }

    /// Sets the breakpoints.
    pub fn set_breakpoints(&mut self, breakpoints: Breakpoints) {
        self.control.set_breakpoints(breakpoints);
    }

    pub(super) fn control_mut(&mut self) -> &mut RunControl {
        &mut self.control
    }

    pub(super) fn driver(&self) -> &Driver {
        &self.driver
    }

    pub(super) fn driver_mut(&mut self) -> &mut Driver {
        &mut self.driver
    }

    /// Whether the next half of a step can begin: the run is not paused, the episode is not over, and no breakpoint
    /// waits for a distance.
    pub(super) fn is_due(&self) -> bool {
        self.episode().ending().is_none()
            && matches!(self.control.mode(), Mode::Running { .. })
            && !self.control.awaits_distance()
            && !self.episode().asks_person()
    }

    /// Plays until the next step is finished or the episode is over, and decides whether a breakpoint stops the run
    /// there: see [`RunControl::break_reason`]. When `stop` is cancelled, it ends early; the episode can be continued.
    /// Must be called within a Tokio runtime.
    pub async fn step(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        let advance = self.halves(stop).await;
        self.driver.flush_after(advance)
    }

    /// Plays as [`Controller::step`] does. The last events may be held back.
    async fn halves(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        let done = self.episode().steps_done();
        while self.episode().ending().is_none() && self.episode().steps_done() == done {
            let half = self.half_held(stop).await?;
            if half == Advance::Stopped || self.await_distance(stop).await? == Advance::Stopped {
                return Ok(Advance::Stopped);
            }
            self.carry_out_effects().await;
            if self.control.break_reason().is_some() || self.episode().asks_person() {
                break;
            }
        }
        Ok(Advance::Done)
    }

    /// Does one half of a step: asks the agent until the step has its action or is over, or applies the action. A step
    /// that this finishes is compared with the breakpoints.
    pub async fn half(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        let advance = self.half_held(stop).await;
        self.driver.flush_after(advance)
    }

    /// Does the half as [`Controller::half`] does. The last events may be held back.
    async fn half_held(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        if self.pauses_before_request() {
            return Ok(Advance::Done);
        }
        self.carry_out_effects().await;
        let done = self.episode().steps_done();
        let advance = self.half_with_held(&mut Alone, stop).await;
        self.end_half(done);
        advance
    }

    /// Compares the step with the breakpoints before the agent is first asked at it. True if that must wait: the run is
    /// paused, or a distance is missing.
    pub(super) fn pauses_before_request(&mut self) -> bool {
        self.episode().starts_decision()
            && self.control.check_within(self.driver.episode(), Phase::BeforeRequest)
    }

    /// Compares the step with the breakpoints after a half of a run that began when so many steps were finished.
    pub(super) fn end_half(&mut self, done: u32) {
        if self.episode().steps_done() > done {
            self.finish_step();
        } else if matches!(self.episode().need(), Need::Act(_) | Need::Person(PersonQuestion::Confirm(_))) {
            self.control.check_within(self.driver.episode(), Phase::AfterReply);
        }
    }

    /// Adds what happened in the episode to its analysis, which snapshots show. A run without breakpoints needs none.
    pub(super) fn update(&mut self) {
        self.control.update(self.driver.episode());
    }

    /// Takes note of a step that a run has finished: counts it and compares it with the breakpoints.
    fn finish_step(&mut self) {
        self.control.finish_step(self.driver.episode());
    }

    /// Searches until the distance of every state so far is known or cannot be.
    pub async fn search_all(&mut self) {
        self.update();
        self.control.search_all().await;
    }

    /// Waits until no breakpoint needs a distance any more.
    async fn await_distance(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        while self.control.awaits_distance() {
            self.driver.flush()?;
            self.control.start_search();
            tokio::select! {
                biased;
                () = stop.cancelled() => return Ok(Advance::Stopped),
                () = self.control.next_distance() => {}
            }
        }
        Ok(Advance::Done)
    }

    /// Does one half of a step beside this companion. It does not compare a finished step with the breakpoints.
    pub(super) async fn half_with(
        &mut self,
        companion: &mut impl Companion,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        let advance = self.half_with_held(companion, stop).await;
        self.driver.flush_after(advance)
    }

    /// Does the half as [`Controller::half_with`] does. The last events may be held back.
    async fn half_with_held(
        &mut self,
        companion: &mut impl Companion,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        let done = self.episode().steps_done();
        let decides = is_decision(self.episode().need());
        loop {
            if stop.is_cancelled() {
                return Ok(Advance::Stopped);
            }
            match self.advance(companion, stop).await? {
                Advance::CameBack => continue,
                Advance::Stopped => return Ok(Advance::Stopped),
                Advance::Done => {}
            }
            if self.episode().asks_person() {
                return Ok(Advance::Done);
            }
            if self.episode().need().ends_half() {
                continue;
            }
            if !decides || self.episode().steps_done() > done || !is_decision(self.episode().need()) {
                return Ok(Advance::Done);
            }
        }
    }

    /// Does what the episode needs next.
    async fn advance(
        &mut self,
        companion: &mut impl Companion,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        match self.driver.begin()? {
            Some(work) => self.accompany(work, companion, stop).await,
            None => Ok(Advance::Done),
        }
    }

    /// Waits for the driver while the companion takes part.
    async fn accompany(
        &mut self,
        work: Work,
        companion: &mut impl Companion,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        companion.begin(work, self);
        let mut working = pin!(self.driver.work(work, stop));
        tokio::select! {
            biased;
            advance = &mut working => return advance,
            () = companion.accompany(work, &mut self.control, stop) => {}
        }
        working.await
    }

    /// A snapshot of an episode that no session plays.
    pub fn snapshot(&self, folder: &Path) -> Snapshot {
        let waiting = Waiting::of(self.episode().need());
        self.snapshot_of(folder, RunState::recorded(waiting))
    }

    /// A snapshot that runs like this, as far as the controller does not know better.
    pub(super) fn snapshot_of(&self, folder: &Path, run: RunState) -> Snapshot {
        let control = &self.control;
        let mode = if self.episode().ending().is_some() { Mode::Paused } else { control.mode() };
        let run = RunState {
            mode,
            breakpoints: control.breakpoints().clone(),
            break_reason: control.break_reason().map(|reason| format!("stopped: {reason}")),
            unjudged_step: control.unjudged_step().map(str::to_owned),
            clock: self.driver.person_clock(),
            question: self.driver.open_question().map(Arc::new),
            ..run
        };
        let journal = self.driver.journal_path().map(Path::to_owned);
        let place = SessionPlace { folder: folder.to_owned(), journal };
        Snapshot::new(
            self.episode(),
            self.spec,
            control.analysis(),
            self.driver.request_context(),
            run,
            place,
        )
    }

    /// Writes pending events and releases the environment's resources.
    pub async fn close(&mut self) -> Result<(), DriverError> {
        let flushed = self.driver.flush();
        self.driver.close().await;
        flushed
    }
}

/// Whether this need belongs to the first half of a step, the decision.
fn is_decision(need: &Need) -> bool {
    match need {
        Need::Ask(inquiry) => inquiry.purpose == Purpose::Decision && !inquiry.by_person,
        need => matches!(need, Need::Decide { .. } | Need::Read(_) | Need::Skip),
    }
}
