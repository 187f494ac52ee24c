//! Runs one episode of a plan to its end, or leaves it in a state that can be resumed.

use std::ops::RangeInclusive;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::PoisonError;

use futures_util::FutureExt;
use tokio::sync::mpsc;

use super::FinishedEpisode;
use super::PlannedEpisode;
use super::RunOptions;
use super::Shared;
use super::event::EpisodeEvent;
use super::event::RunEvent;
use crate::domain::AgentError;
use crate::domain::EnvironmentSpec;
use crate::engine::Controller;
use crate::engine::DriverError;
use crate::engine::Episode;
use crate::engine::EpisodeSummary;
use crate::engine::Need;
use crate::engine::read_journal;
use crate::engine::read_summary;
use crate::lab;
use crate::lab::EpisodeId;
use crate::lab::LabError;
use crate::lab::PreparedEpisode;

/// Reports the events of one episode.
pub(super) struct Reporter {
    pub(super) index: usize,
    pub(super) id: EpisodeId,
    pub(super) events: mpsc::Sender<EpisodeEvent>,
}

impl Reporter {
    /// Waits while the receiver has many unread events. A receiver that is gone has stopped the run.
    async fn send(&self, event: RunEvent) {
        let event = EpisodeEvent { index: self.index, id: self.id.clone(), event };
        let _ = self.events.send(event).await;
    }
}

impl Shared {
    /// Runs an episode and reports its end.
    pub(super) async fn run_episode(self: Arc<Self>, planned: PlannedEpisode, reporter: Reporter) {
        let run = AssertUnwindSafe(self.open_and_play(planned, &reporter)).catch_unwind().await;
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
            | RunEvent::Refused(_) => self.stop.cancel(),
            RunEvent::Failed(_, DriverError::Agent(error)) => self.check_endpoint(error),
            _ => {}
        }
        reporter.send(end).await;
    }

    async fn open_and_play(
        &self,
        planned: PlannedEpisode,
        reporter: &Reporter,
    ) -> Result<RunEvent, LabError> {
        let permit = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Ok(RunEvent::Stopped),
            permit = self.opening.acquire() => permit,
        };
        if let Some(finished) = finished_before(&planned)? {
            return Ok(finished);
        }
        let mut episode = self.open(planned).await?;
        if let Some(note) = episode.note.take() {
            reporter.send(RunEvent::Note(note)).await;
        }
        let limits = lab::search_limits(episode.spec, episode.driver.episode().head(), &self.options.config);
        let mut controller = Controller::new(episode.driver, episode.spec, Some(limits));
        controller.set_breakpoints(self.options.breakpoints.clone());
        let wait = (controller.episode().head().reference.clone(), controller.live_wait());
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).insert(reporter.index, wait);
        if *controller.episode().need() == Need::Open
            && let Err(error) = controller.half(&self.stop).await
        {
            return Ok(fail(controller, error).await);
        }
        drop(permit);
        self.play(controller, episode.spec, reporter).await
    }

    /// Opens a new episode, or one that has a journal.
    async fn open(&self, planned: PlannedEpisode) -> Result<PreparedEpisode, LabError> {
        let RunOptions { config, .. } = &self.options;
        let id = planned.id();
        match planned.head {
            Some(head) if !planned.journal.is_file() => {
                let number = id.number.and_then(|number| usize::try_from(number).ok()).unwrap_or(1);
                self.lab.open_new(&self.options.store, &id.session, number, head, config)
            }
            _ => self.lab.resume(&planned.journal, config).await,
        }
    }

    /// Plays until the end, a breakpoint, an error or the end of the run.
    async fn play(
        &self,
        mut controller: Controller,
        spec: &'static dyn EnvironmentSpec,
        reporter: &Reporter,
    ) -> Result<RunEvent, LabError> {
        let (mut done, mut note) = (controller.episode().steps_done(), None);
        while controller.episode().ending().is_none() {
            if self.stop.is_cancelled() {
                return leave(controller, RunEvent::Stopped).await;
            }
            let advanced = controller.step(&self.stop).await;
            let known = std::mem::replace(&mut done, controller.episode().steps_done());
            report_steps(controller.episode(), known + 1..=done, reporter).await;
            if let Err(error) = advanced {
                return Ok(fail(controller, error).await);
            }
            let unjudged = controller.control().unjudged_step().map(str::to_owned);
            if let Some(step) = unjudged.filter(|step| note.as_ref() != Some(step)) {
                note = Some(step.clone());
                reporter.send(RunEvent::Note(step)).await;
            }
            if let Some(reason) = controller.control().break_reason().map(str::to_owned) {
                let parked = RunEvent::Parked(controller.episode().head().clone(), reason);
                return leave(controller, parked).await;
            }
        }
        Ok(finish(controller, spec).await)
    }
}

async fn report_steps(episode: &Episode, numbers: RangeInclusive<u32>, reporter: &Reporter) {
    for step in numbers.filter_map(|number| episode.steps().numbered(number)) {
        reporter.send(RunEvent::Step(episode.head().clone(), step.clone())).await;
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

async fn finish(mut controller: Controller, spec: &dyn EnvironmentSpec) -> RunEvent {
    // The end of the episode is written already.
    let _ = controller.close().await;
    let summary = EpisodeSummary::of(controller.episode(), spec, controller.elapsed());
    RunEvent::Finished(Box::new(FinishedEpisode { head: controller.episode().head().clone(), summary }))
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
