//! Runs one episode of a plan to its end, or leaves it in a state that can be resumed.

use crate::connection::changed_connection;
use crate::{episode_services, open_new, resume_episode};
use std::ops::RangeInclusive;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{SemaphorePermit, mpsc, oneshot};

use super::event::{AskedPerson, EpisodeEvent, Parking, RunEvent};
use super::{EpisodeSpent, FinishedEpisode, PlannedEpisode, RunOptions, Shared};
use crate::{EpisodeId, LabError, PreparedEpisode, SeatRules};
use mageyard_domain::{AgentError, EndpointFailure, EnvironmentSpec, RewardTerms, Treatment};
use mageyard_engine::{
    Advance, Controller, Driver, DriverError, Episode, Head, JournalError, LiveWait, Need, Wait,
    read_journal, read_summary, write_summary,
};

/// How often a step that is the last one looks whether it only waits for a retry.
const DRAIN_INTERVAL: Duration = Duration::from_millis(50);

/// Reports the events of one episode.
pub struct Reporter {
    index: usize,
    id: EpisodeId,
    journal: PathBuf,
    events: mpsc::Sender<EpisodeEvent>,
}

/// How a task of an episode ended, for the scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// The episode is over.
    Finished,
    /// It was parked.
    Parked(Parking),
    /// It failed, and can be resumed.
    Failed {
        /// The kind of cause, in a word or two; equal for equal causes.
        class: String,
        /// The message.
        why: String,
        /// Whether trying again may help.
        retry: bool,
    },
    /// It was stopped, and can be resumed.
    Stopped,
    /// The claim of its cell was lost: another process has it.
    ClaimLost,
    /// What was recorded or sent does not match; nothing else may run.
    Mismatch(String),
}

impl EpisodeEnd {
    fn of(event: &RunEvent) -> Self {
        match event {
            RunEvent::Finished(_) => Self::Finished,
            RunEvent::Parked(_, parking) => Self::Parked(parking.clone()),
            RunEvent::Failed(_, error) => Self::of_error(error),
            RunEvent::Refused(error) => Self::of_refusal(error),
            RunEvent::Crashed => Self::failed("bug", "a bug in this program stopped the episode".to_owned()),
            RunEvent::Stopped | RunEvent::Note(_) | RunEvent::Step(..) | RunEvent::Asks(_) => Self::Stopped,
        }
    }

    fn of_refusal(error: &LabError) -> Self {
        let why = error.to_string();
        match error {
            LabError::Mismatch(_) => Self::Mismatch(why),
            LabError::Journal(JournalError::NotOwner { .. }) => Self::ClaimLost,
            LabError::Journal(_) | LabError::Store(_) => Self::failed("journal", why),
            LabError::Request(_) | LabError::Failed(_) => Self::failed("settings", why),
        }
    }

    fn of_error(error: &DriverError) -> Self {
        let why = error.to_string();
        match error {
            DriverError::Agent(AgentError::MemoryMismatch(_) | AgentError::ReplayMismatch(_)) => {
                Self::Mismatch(why)
            }
            DriverError::Agent(error) => match EndpointFailure::of(error) {
                Some(class) => {
                    let retry = class.treatment() == Treatment::Retry;
                    Self::Failed { class: class.to_string(), why, retry }
                }
                None => Self::failed("agent", why),
            },
            DriverError::Journal(JournalError::NotOwner { .. }) => Self::ClaimLost,
            DriverError::Journal(_) => Self::failed("journal", why),
            _ => Self::failed("environment", why),
        }
    }

    fn failed(class: &str, why: String) -> Self {
        Self::Failed { class: class.to_owned(), why, retry: false }
    }
}

impl Reporter {
    /// Reports the events of the planned episode with this index.
    pub fn new(index: usize, planned: &PlannedEpisode, events: &mpsc::Sender<EpisodeEvent>) -> Self {
        Self { index, id: planned.id(), journal: planned.journal.clone(), events: events.clone() }
    }

    /// Waits while the receiver has many unread events. A receiver that is gone has stopped the run.
    async fn send(&self, event: RunEvent) {
        let event = EpisodeEvent { index: self.index, id: self.id.clone(), event };
        let _ = self.events.send(event).await;
    }
}

impl Shared {
    /// Runs an episode and reports its end.
    pub async fn run_episode(self: Arc<Self>, planned: PlannedEpisode, reporter: Reporter) -> EpisodeEnd {
        let playing = Box::pin(self.open_and_play(planned, &reporter));
        let run = AssertUnwindSafe(playing).catch_unwind().await;
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).remove(&reporter.index);
        let end = match run {
            Ok(Ok(end)) => end,
            Ok(Err(error)) => RunEvent::Refused(error),
            Err(_) => RunEvent::Crashed,
        };
        match &end {
            RunEvent::Failed(
                _,
                DriverError::Agent(AgentError::MemoryMismatch(_) | AgentError::ReplayMismatch(_)),
            )
            | RunEvent::Refused(_) => self.ends.stop.cancel(),
            RunEvent::Failed(_, DriverError::Agent(error)) => self.check_endpoint(error),
            _ => {}
        }
        let ended = EpisodeEnd::of(&end);
        reporter.send(end).await;
        ended
    }

    async fn open_and_play(
        &self,
        planned: PlannedEpisode,
        reporter: &Reporter,
    ) -> Result<RunEvent, LabError> {
        if self.ends.is_ending() {
            return Ok(RunEvent::Stopped);
        }
        // A recording is read whole.
        let mut permit = None;
        if planned.journal.is_file() {
            permit = self.opening_permit().await;
            if permit.is_none() {
                return Ok(RunEvent::Stopped);
            }
            if let Some(finished) = finished_before(&planned)? {
                return Ok(finished);
            }
        }
        let mut episode = self.open(planned).await?;
        if let Some(note) = episode.note.take() {
            reporter.send(RunEvent::Note(note)).await;
        }
        let limits =
            crate::search_limits(episode.spec, episode.driver.episode().head(), &self.options.config);
        let driver = self.with_services(episode.driver, episode.spec);
        let mut controller = Controller::new(driver, episode.spec, Some(limits));
        controller.set_breakpoints(self.options.breakpoints.clone());
        let wait = (controller.episode().head().reference.clone(), controller.live_wait());
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).insert(reporter.index, wait);
        if *controller.episode().need() == Need::Open {
            if permit.is_none() {
                permit = self.opening_permit().await;
            }
            if let Err(error) = controller.half(&self.ends.stop).await {
                return Ok(fail(controller, error).await);
            }
        }
        drop(permit);
        self.play(controller, reporter).await
    }

    /// Waits until an episode may do the expensive part of its opening; `None` if the run is stopped first.
    async fn opening_permit(&self) -> Option<SemaphorePermit<'_>> {
        tokio::select! {
            biased;
            () = self.ends.stop.cancelled() => None,
            permit = self.opening.acquire() => permit.ok(),
        }
    }

    /// The driver with the services of the lab, if breakpoints or a change of seat need them.
    fn with_services(&self, driver: Driver, spec: &'static dyn EnvironmentSpec) -> Driver {
        let seats = driver.episode().lasting_seats().next().is_some();
        if !seats && !self.options.breakpoints.need_services() {
            return driver;
        }
        let head = driver.episode().head().clone();
        let rules = SeatRules { has_person: false, one_model: self.options.spending.is_some() };
        driver.with_services(episode_services(&self.lab, spec, head, &self.options.config, rules))
    }

    /// Opens a new episode, or one that has a journal.
    async fn open(&self, planned: PlannedEpisode) -> Result<PreparedEpisode, LabError> {
        let RunOptions { config, .. } = &self.options;
        let id = planned.id();
        match planned.head {
            Some(head) if !planned.journal.is_file() => {
                // Another machine may have planned it.
                let changed = changed_connection(&self.lab, &head.agent, config)?;
                let head = Head { agent: head.agent.connected(&changed), ..head };
                let number = id.number.and_then(|number| usize::try_from(number).ok()).unwrap_or(1);
                open_new(&self.lab, &self.options.store, &id.session, number, head, config)
            }
            _ => resume_episode(&self.lab, &planned.journal, config).await,
        }
    }

    /// Plays until the end, a breakpoint, an error or the end of the run.
    async fn play(&self, mut controller: Controller, reporter: &Reporter) -> Result<RunEvent, LabError> {
        let mut told = told_steps(controller.episode());
        let mut note = None;
        while controller.episode().ending().is_none() {
            if self.ends.is_ending() || self.spending_limit_reached() {
                return leave(controller, RunEvent::Stopped).await;
            }
            let advanced = self.step(&mut controller).await;
            let known = std::mem::replace(&mut told, told_steps(controller.episode()));
            self.report_steps(controller.episode(), known + 1..=told, reporter).await;
            self.count_spending(controller.episode(), &reporter.journal);
            if let Err(error) = advanced {
                return Ok(fail(controller, error).await);
            }
            for done in controller.take_break_notes() {
                reporter.send(RunEvent::Note(done)).await;
            }
            let unjudged = controller.control().unjudged_step().map(str::to_owned);
            if let Some(step) = unjudged.filter(|step| note.as_ref() != Some(step)) {
                note = Some(step.clone());
                reporter.send(RunEvent::Note(step)).await;
            }
            if let Some(reason) = controller.control().break_reason().map(str::to_owned) {
                let head = controller.episode().head().clone();
                return leave(controller, RunEvent::Parked(head, Parking::Breakpoint(reason))).await;
            }
            match self.ask_person(&mut controller, reporter).await {
                Ok(None) => {}
                Ok(Some(end)) => return leave(controller, end).await,
                Err(error) => return Ok(fail(controller, error).await),
            }
        }
        Ok(finish(controller, &reporter.journal).await)
    }
}

impl Shared {
    /// Plays a step. If the run is to end, a request under way is finished, so that its cost is known, but no retry is
    /// waited for.
    async fn step(&self, controller: &mut Controller) -> Result<Advance, DriverError> {
        let cut = self.ends.stop.child_token();
        let waits = controller.live_wait();
        let mut step = pin!(controller.step(&cut));
        tokio::select! {
            biased;
            advance = &mut step => return advance,
            () = self.wait_for_retry(&waits) => cut.cancel(),
        }
        step.await
    }

    /// Waits until the run is to end and nothing is under way but a wait for a retry.
    async fn wait_for_retry(&self, waits: &LiveWait) {
        self.ends.drain.cancelled().await;
        while !matches!(waits.now(), Some(Wait::Retry { .. })) {
            tokio::time::sleep(DRAIN_INTERVAL).await;
        }
    }

    /// Asks the person until no question is open. Returns how the episode is left if there is no answer.
    async fn ask_person(
        &self,
        controller: &mut Controller,
        reporter: &Reporter,
    ) -> Result<Option<RunEvent>, DriverError> {
        let mut problem = None;
        while let Some(asked) = controller.open_question() {
            let head = controller.episode().head().clone();
            let parked = RunEvent::Parked(head.clone(), Parking::at(&asked));
            if !self.options.has_person {
                return Ok(Some(parked));
            }
            let step = controller.episode().steps().last();
            let place = step
                .map_or(head.reference.clone(), |step| format!("{}, step {}", head.reference, step.number));
            let (answer, answered) = oneshot::channel();
            let question = asked.question.clone();
            reporter.send(RunEvent::Asks(AskedPerson { place, asked, problem, answer })).await;
            let line = tokio::select! {
                biased;
                () = self.ends.stop.cancelled() => return Ok(Some(RunEvent::Stopped)),
                line = answered => line,
            };
            let Ok(line) = line else { return Ok(Some(parked)) };
            problem = match controller.answer_line(&question, &line) {
                Ok(()) => None,
                Err(error @ (DriverError::Person(_) | DriverError::Edit(_))) => Some(error.to_string()),
                Err(error) => return Err(error),
            };
        }
        Ok(None)
    }

    async fn report_steps(&self, episode: &Episode, numbers: RangeInclusive<u32>, reporter: &Reporter) {
        let spec = self.lab.environment(&episode.head().environment);
        for number in numbers {
            let Some(step) = episode.steps().numbered(number) else { continue };
            let next = number.checked_add(1).and_then(|next| episode.steps().numbered(next));
            let terms = spec.zip(next).and_then(|(spec, next)| {
                let scoring = spec.capabilities().scoring;
                RewardTerms::between(scoring, &step.observation, &next.observation)
            });
            reporter.send(RunEvent::Step(episode.head().clone(), step.clone(), terms)).await;
        }
    }

    fn count_spending(&self, episode: &Episode, journal: &Path) {
        let Some(spending) = &self.options.spending else { return };
        match episode.ending() {
            Some(_) => spending.end(journal, EpisodeSpent::of(episode)),
            None => spending.update(journal, EpisodeSpent::of(episode)),
        }
    }

    /// Whether the episodes of the run have spent what they may; that ends all of them after their present step.
    fn spending_limit_reached(&self) -> bool {
        let reached = self.options.spending.as_ref().is_some_and(|spending| spending.exhausted().is_some());
        if reached {
            self.ends.drain.cancel();
        }
        reached
    }
}

/// The result of an episode that was over before. It is not played again: its summary is read, and its journal only to
/// find damage.
fn finished_before(planned: &PlannedEpisode) -> Result<Option<RunEvent>, LabError> {
    let summary = read_summary(&planned.journal).filter(|summary| summary.ending.is_some());
    let Some(summary) = summary else { return Ok(None) };
    let head = read_journal(&planned.journal)?.head.into();
    Ok(Some(RunEvent::Finished(Box::new(FinishedEpisode { head, summary }))))
}

async fn finish(mut controller: Controller, journal: &Path) -> RunEvent {
    // The end of the episode is written already.
    let _ = controller.close().await;
    let head = controller.episode().head().clone();
    let summary = controller.take_summary();
    if read_summary(journal).is_none() {
        // The process that ended the episode was killed before it wrote one. Without it the journal is read again.
        if let Err(error) = write_summary(journal, &summary) {
            tracing::warn!(%error, "the summary of the episode cannot be written");
        }
    }
    RunEvent::Finished(Box::new(FinishedEpisode { head, summary }))
}

async fn fail(mut controller: Controller, error: DriverError) -> RunEvent {
    // The error that is reported is the first one.
    let _ = controller.close().await;
    RunEvent::Failed(controller.episode().head().clone(), error)
}

/// Leaves the episode in a state that can be resumed.
async fn leave(mut controller: Controller, end: RunEvent) -> Result<RunEvent, LabError> {
    controller.close().await.map(|()| end).map_err(LabError::failed)
}

/// How many steps can be told: the finished ones, and one whose action the repetition limit refused.
fn told_steps(episode: &Episode) -> u32 {
    let refused = episode.steps().last().is_some_and(|step| step.over_limit);
    episode.steps_done() + u32::from(refused)
}
