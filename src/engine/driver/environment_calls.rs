//! What the driver does with the environment: open, act, look, come back, save checkpoints, close. Each is limited by a
//! stop token and the time limit.

use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::error::DriverError;
use super::link::{Call, Called, close_within_limit};
use super::{Advance, Driver, trace};
use crate::episode::Need;
use crate::event::Event;
use crate::rewind;
use crate::side::Purpose;
use mageyard_dialog::PersonQuestion;
use mageyard_domain::{Action, Checkpoint, EnvironmentError, Opening, Recovery, Status};

/// A stored checkpoint is made after this many steps, and after each look.
const CHECKPOINT_INTERVAL: u32 = 10;

impl Driver {
    /// Opens the level and searches the optimum.
    pub(super) async fn open(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.link.renew();
        self.link.is_open = true;
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let called = self.link.limit(environment.open(&self.link.context), grace, stop).await;
        let Some(opening) = self.ended(called).await? else { return self.stopped(stop) };
        let reference = tokio::select! {
            biased;
            reference = self.participants.find_reference() => reference,
            () = stop.cancelled() => {
                self.detach().await;
                return Ok(Advance::Stopped);
            }
        };
        self.link.is_attached = true;
        self.log.record(Event::Opened(opening, reference))?;
        Ok(Advance::Done)
    }

    /// Announces an action that cannot be repeated, and carries it out.
    pub(super) async fn act(
        &mut self,
        action: Action,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        if stop.is_cancelled() {
            return Ok(Advance::Stopped);
        }
        if self.participants.environment.recovery() != Recovery::Replay {
            self.log.record(Event::Acting(action.clone()))?;
        }
        self.carry_out(action, stop).await
    }

    /// Carries out an announced action, unless it has begun before.
    pub(super) async fn finish(
        &mut self,
        action: Action,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        if self.link.is_acting || stop.is_cancelled() || self.log.is_cut_off() {
            self.record_interruption()?;
            return Ok(Advance::Done);
        }
        self.carry_out(action, stop).await
    }

    async fn carry_out(&mut self, action: Action, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.link.renew();
        self.link.is_acting = true;
        let span = trace::act(self.episode().steps().last().map_or(0, |step| step.number));
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let acting = self.link.limit(environment.act(&action, &self.link.context), grace, stop);
        let called = acting.instrument(span).await;
        match called {
            Called::Done(outcome) => {
                self.link.is_acting = false;
                self.log.record(Event::Acted(action, outcome))?;
                self.save_checkpoint(CHECKPOINT_INTERVAL, stop).await?;
                Ok(Advance::Done)
            }
            Called::Stopped => {
                self.record_interruption()?;
                self.stopped(stop)
            }
            Called::Failed(error) => {
                self.record_interruption()?;
                Err(error.into())
            }
            Called::Panicked(error) => {
                self.detach().await;
                self.record_interruption()?;
                Err(error.into())
            }
        }
    }

    /// Records that the announced action did not finish. An action that can be repeated has not happened then.
    fn record_interruption(&mut self) -> Result<(), DriverError> {
        self.link.is_acting = false;
        match self.episode().need() {
            Need::Finish(_) => self.log.record(Event::Interrupted),
            _ => Ok(()),
        }
    }

    /// Looks at the environment after an interrupted action. If that fails or is stopped, the environment is opened
    /// again at the next try.
    pub(super) async fn look(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.link.renew();
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let called = self.link.limit(environment.look(&self.link.context), grace, stop).await;
        let Some(opening) = self.ended(called).await? else { return self.stopped(stop) };
        self.record_look(opening, stop).await
    }

    async fn record_look(
        &mut self,
        opening: Opening,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        self.log.record(Event::Looked(opening))?;
        self.save_checkpoint(0, stop).await?;
        Ok(Advance::Done)
    }

    /// Whether the environment must come back before the episode continues.
    pub(super) fn is_detached(&self) -> bool {
        let needs_none = |need: &Need| match need {
            Need::Ask(inquiry) => matches!(inquiry.purpose, Purpose::LastLook | Purpose::Verdict(_)),
            Need::Person(PersonQuestion::Allow(_)) | Need::Open | Need::Nothing(_) => true,
            _ => false,
        };
        !self.link.is_attached && !needs_none(self.episode().need())
    }

    /// Whether an action ends without a wait, as in a pure world.
    pub(crate) fn acts_at_once(&self) -> bool {
        self.participants.environment.recovery() == Recovery::Replay
    }

    /// Brings the environment back and looks at it. If it is not in the state of the episode, that is recorded.
    pub(super) async fn attach(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.record_interruption()?;
        if matches!(self.episode().need(), Need::Judge(_)) {
            if self.participants.environment.judges_stored() {
                self.link.is_attached = true;
                return Ok(Advance::CameBack);
            }
            return self.attach_to_judge(stop).await;
        }
        let called = self.come_back(stop).await?;
        let Some(seen) = self.ended(called).await? else { return self.stopped(stop) };
        self.link.is_attached = true;
        let last = self.episode().steps().last();
        let same = last.is_some_and(|last| {
            seen.observation.state() == last.state
                && seen.space == last.space
                && seen.status == Status::Running
        });
        if same && *self.episode().need() != Need::Look {
            return Ok(Advance::CameBack);
        }
        self.record_look(seen, stop).await
    }

    /// Reopens the environment or restores its newest checkpoint, and looks at it.
    pub(super) async fn come_back(
        &mut self,
        stop: &CancellationToken,
    ) -> Result<Called<Opening>, DriverError> {
        self.link.renew();
        let episode = self.log.episode();
        let environment = &mut *self.participants.environment;
        let recovery = environment.recovery();
        let grace = environment.grace();
        let context = &self.link.context;
        let Some(last) = episode.steps().last() else { return Ok(Called::Stopped) };
        let back: Call<'_, Opening> = match recovery {
            Recovery::Replay => return Err(DriverError::Lost("resume the episode to repeat its actions")),
            Recovery::StoredOnly => return Err(DriverError::Lost("the episode can only be viewed")),
            Recovery::Reopen => Box::pin(async {
                environment.reopen(&last.observation, context).await?;
                environment.look(context).await
            }),
            Recovery::Repeat => {
                Box::pin(rewind::repeat(environment, context, episode.steps(), last.number, None))
            }
            Recovery::Checkpoint => Box::pin(async {
                let saved =
                    episode.checkpoint().map(|(step, blob)| (*step, Checkpoint::Stored(blob.clone())));
                let from = saved.as_ref().map(|(step, checkpoint)| (*step, checkpoint));
                rewind::repeat(environment, context, episode.steps(), last.number, from).await
            }),
        };
        self.link.is_open = true;
        Ok(self.link.limit(back, grace, stop).await)
    }

    /// The result of a call; `None` if it was stopped. Without a result the environment is closed, and must come back
    /// before anything else.
    pub(super) async fn ended<T>(&mut self, called: Called<T>) -> Result<Option<T>, DriverError> {
        let error = match called {
            Called::Done(result) => return Ok(Some(result)),
            Called::Stopped => None,
            Called::Failed(error) | Called::Panicked(error) => Some(error),
        };
        self.detach().await;
        error.map_or(Ok(None), |error| Err(error.into()))
    }

    /// What a stopped call means: the end of the episode if its time is up.
    pub(super) fn stopped(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        if stop.is_cancelled() || !self.log.is_out_of_time() {
            return Ok(Advance::Stopped);
        }
        self.log.record(Event::Expired)?;
        Ok(Advance::Done)
    }

    /// Saves a checkpoint if the newest one is this many steps old. A checkpoint that fails is only reported: the
    /// episode comes back from an earlier one.
    async fn save_checkpoint(&mut self, age: u32, stop: &CancellationToken) -> Result<(), DriverError> {
        let saved = self.episode().checkpoint().map_or(1, |(step, _)| *step);
        let newest = self.episode().steps().last().map_or(0, |step| step.number);
        let due = newest >= saved.saturating_add(age) && self.episode().end_of_play().is_none();
        if self.participants.environment.recovery() != Recovery::Checkpoint || !due {
            return Ok(());
        }
        self.link.renew();
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let called = self.link.limit(environment.checkpoint(&self.link.context), grace, stop).await;
        let error = match called {
            Called::Done(Checkpoint::Stored(blob)) => return self.log.record(Event::Checkpointed(blob)),
            Called::Done(Checkpoint::Memory(_)) => EnvironmentError::Unsupported("store its checkpoints"),
            Called::Failed(error) | Called::Panicked(error) => error,
            Called::Stopped => return Ok(()),
        };
        tracing::warn!(%error, step = newest, "no checkpoint was saved");
        Ok(())
    }

    /// Closes the environment, which must come back before the episode continues.
    pub(super) async fn detach(&mut self) {
        self.close().await;
        self.link.is_attached = false;
    }

    /// Releases the environment's resources, within a limit of time. Does nothing if it is closed already.
    pub async fn close(&mut self) {
        if std::mem::take(&mut self.link.is_open) {
            close_within_limit(self.participants.environment.close()).await;
        }
    }
}
