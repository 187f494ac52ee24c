//! Drives an episode along its recording, event by event, and compares requests, readings, states and rewards.

use crate::open::open_for_verification;
use crate::replayed_head;
use crate::restore::new_environment;
use std::sync::Arc;

use serde_json::Value;

use super::receipt::Receipt;
use super::replay_source::refuse_branch;
use super::restore::restore_error;
use super::{LabError, RecordedEpisode, check_step_exists};
use mageyard_config::{Config, Problem};
use mageyard_dialog::PersonQuestion;
use mageyard_domain::{
    Action, AgentError, BlobRef, BlobStore, Digest, Environment, Judgement, Question, SentRequest, SideRole,
};
use mageyard_engine::{
    Driver, DriverError, EditTarget, Ending, Episode, Head, JournalContents, JournalReader, Need,
    StoredEvent, read_journal, restore_step,
};

/// What has been verified.
#[derive(Debug, Default)]
pub struct Verified {
    /// Completed steps.
    pub steps: usize,
    /// Requests that are identical to the recorded ones.
    pub requests: usize,
    /// Replies that are read as recorded.
    pub replies: usize,
    /// The ending, if it was reached.
    pub ending: Option<Ending>,
}

/// The number of completed steps of a recording.
fn recorded_steps(recorded: &JournalContents) -> usize {
    let done = |stored: &StoredEvent| {
        matches!(stored, StoredEvent::Acted { .. } | StoredEvent::Passed) || stored.is_withheld()
    };
    recorded.lines.iter().filter(|line| done(&line.stored)).count()
}

/// The result of repeating a recording.
pub struct Verification {
    /// The head of the recording.
    pub head: Head,
    /// What was verified, up to the first difference.
    pub verified: Verified,
    /// What was compared, for somebody else to check.
    pub receipt: Receipt,
    /// The first difference is [`LabError::Mismatch`].
    pub result: Result<(), LabError>,
}

impl RecordedEpisode {
    /// The head of an episode that repeats this one, with what flags replace. The whole recording must be readable.
    pub fn replay_head(&self, config: &Config) -> Result<Head, LabError> {
        let recorded = read_journal(self.path())?;
        refuse_branch(&recorded.head, self.path())?;
        Ok(replayed_head(self.lab(), &recorded.head, self.path(), config)?)
    }

    /// Repeats the recording with what flags replace, up to a step if one is given, and compares everything.
    pub async fn verify(&self, config: &Config, until: Option<u32>) -> Result<Verification, LabError> {
        let recorded = read_journal(self.path())?;
        let steps = recorded_steps(&recorded);
        check_step_exists(steps, steps, until)?;
        let head = replayed_head(self.lab(), &recorded.head, self.path(), config)?;
        let shared = self.shared_steps(&recorded.head).await?;
        let (driver, result) =
            match open_for_verification(self.lab(), head.clone(), recorded.blobs(), shared, config) {
                Ok(driver) => {
                    let mut replay = Replay::new(driver, &head, &recorded);
                    let result = replay.run(&recorded, until).await;
                    (Some(replay), result)
                }
                Err(error) => (None, Err(error)),
            };
        let result = match result {
            Ok(()) if until.is_none() => self.verify_summary().await,
            result => result,
        };
        let (verified, receipt) = driver.map(Replay::into_results).unwrap_or_default();
        Ok(Verification { head: recorded.head, verified, receipt, result })
    }

    /// Compares the summary beside the journal with what the journal says.
    async fn verify_summary(&self) -> Result<(), LabError> {
        let computed = self.restore().await?.summary();
        self.wrong_summary(&computed).map_or(Ok(()), |why| Err(LabError::Mismatch(Problem::new(why))))
    }

    /// The steps that a branch shares with its parent, whose states are compared, and the environment after them; `None`
    /// if it is no branch.
    async fn shared_steps(&self, head: &Head) -> Result<Option<(Episode, Box<dyn Environment>)>, LabError> {
        let Some(parent) = &head.parent else { return Ok(None) };
        let (_, mut environment) = new_environment(self.lab(), self.path(), head)?;
        let reader = JournalReader::open(self.path())?;
        let restored = restore_step(reader, environment.as_mut(), parent.step).await;
        let restored = restored.map_err(|error| restore_error(self.path(), head, error))?;
        let missing = || LabError::mismatch(self.path(), "the parent has no step where the branch begins");
        let (episode, _) = restored.ok_or_else(missing)?;
        Ok(Some((episode, environment)))
    }
}

/// What the flags replace; recorded changes of it by a person are not repeated then.
struct Changed {
    window: bool,
    prompt: bool,
}

struct Replay {
    driver: Driver,
    changed: Changed,
    /// The images of the recording.
    blobs: Arc<dyn BlobStore>,
    done: Verified,
    /// The recorded request for the reply to come, if there is one.
    sent: Option<Arc<SentRequest>>,
    /// The requests that are equal to the recorded ones, each with its step.
    requests: Vec<(u32, Arc<SentRequest>)>,
}

impl Replay {
    fn new(driver: Driver, head: &Head, recorded: &JournalContents) -> Self {
        let changed = Changed {
            window: head.window != recorded.head.window,
            prompt: head.prompt != recorded.head.prompt,
        };
        Self {
            driver,
            changed,
            blobs: recorded.blobs(),
            done: Verified::default(),
            sent: None,
            requests: Vec::new(),
        }
    }

    /// Repeats the recorded events; a difference ends it.
    async fn run(&mut self, recorded: &JournalContents, until: Option<u32>) -> Result<(), LabError> {
        let mut result = Ok(());
        for line in recorded.own_lines() {
            if until.is_some_and(|until| self.driver.episode().steps_done() >= until) {
                break;
            }
            result = self.follow(&line.stored).await;
            if result.is_err() {
                break;
            }
        }
        self.driver.close().await;
        self.done.steps = usize::try_from(self.driver.episode().steps_done()).unwrap_or(usize::MAX);
        self.done.ending = self.driver.episode().ending();
        result
    }

    /// What was verified, and what was compared.
    fn into_results(self) -> (Verified, Receipt) {
        let receipt = Receipt::of(self.driver.episode(), self.requests);
        (self.done, receipt)
    }

    /// Does what the recorded event did, and compares the outcome.
    async fn follow(&mut self, stored: &StoredEvent) -> Result<(), LabError> {
        match stored {
            StoredEvent::Opened { state, .. } => {
                self.advance().await?;
                self.same_state(*state)
            }
            StoredEvent::Sent { request, .. } | StoredEvent::SideSent { request, .. } => {
                self.sent = Some(request.clone());
                Ok(())
            }
            StoredEvent::SideReplied { answer, .. } => self.answer(answer.as_ref()).await,
            StoredEvent::SideReused { .. } => self.answer_again().await,
            StoredEvent::Person { .. } => self.person(stored),
            StoredEvent::Settled(recorded) => self.settle(recorded.reward).await,
            StoredEvent::Questioned { questions } => self.question(questions).await,
            StoredEvent::Cut(_) | StoredEvent::SideCut(_) => {
                self.sent = None;
                Ok(())
            }
            StoredEvent::Replied(_) | StoredEvent::Stood => self.reply().await,
            StoredEvent::Accepted { action, .. } => self.read(Some(action)).await,
            StoredEvent::Planned { actions, .. } => self.read(actions.first()).await,
            StoredEvent::Refused { .. } => self.read(None).await,
            StoredEvent::Passed => self.advance().await,
            StoredEvent::Acted { action, reward, state, .. } => self.act(action, *reward, *state).await,
            StoredEvent::Set { window } if !self.changed.window => {
                self.driver.set_window(*window).map_err(|error| failed(&error))
            }
            StoredEvent::Prompted { prompt } if !self.changed.prompt => {
                self.driver.set_prompt(prompt).map_err(|error| failed(&error))
            }
            StoredEvent::Seated { seat } => {
                self.driver.repeat_seat(seat.clone()).map_err(|error| failed(&error))
            }
            StoredEvent::Edited { edit } => {
                let step = self.driver.episode().steps().last().cloned();
                let target = step.map_or(EditTarget { step: 0, replies: 0 }, |step| EditTarget::of(&step));
                self.driver.edit(target, edit.clone()).map_err(|error| failed(&error))
            }
            StoredEvent::Hinted { hint } => {
                self.driver.set_hint(hint.as_deref()).map_err(|error| failed(&error))
            }
            StoredEvent::AskedAgain => self.driver.ask_again().map_err(|error| failed(&error)),
            StoredEvent::StateSet { text, state, .. } => {
                self.driver.set_state(text).await.map_err(|error| failed(&error))?;
                self.same_state(*state)
            }
            StoredEvent::FrameSet { blob, .. } => self.set_frame(blob),
            StoredEvent::Judged { judgement } => self.judge(judgement).await,
            StoredEvent::Interrupted | StoredEvent::Looked { .. } => {
                Err(self.differs("the recording has an interrupted action, which cannot be repeated"))
            }
            StoredEvent::Head { .. }
            | StoredEvent::Acting { .. }
            | StoredEvent::Checkpointed { .. }
            | StoredEvent::Asked
            | StoredEvent::Failed { .. }
            | StoredEvent::Retried { .. }
            | StoredEvent::SideFailed { .. }
            | StoredEvent::SideRetried
            | StoredEvent::Set { .. }
            | StoredEvent::Prompted { .. }
            | StoredEvent::Connected { .. }
            | StoredEvent::Expired
            | StoredEvent::Exhausted
            | StoredEvent::Abandoned => Ok(()),
        }
    }

    fn set_frame(&mut self, blob: &BlobRef) -> Result<(), LabError> {
        let image = self.blobs.get(blob).map_err(|error| self.differs(&error.to_string()))?;
        self.driver.set_frame(&image).map_err(|error| failed(&error))
    }

    async fn advance(&mut self) -> Result<(), LabError> {
        let advanced = self.driver.advance().await;
        advanced.map_err(|error| failed(&error))
    }

    /// The agent compares its request with the recorded one and repeats the recorded reply.
    async fn reply(&mut self) -> Result<(), LabError> {
        if !matches!(self.driver.episode().need(), Need::Decide { .. }) {
            return Err(self.differs("the recording has a reply here, and the replay needs none"));
        }
        let step = self.driver.episode().steps().last().map_or(1, |step| step.number);
        self.advance().await?;
        self.done.replies += 1;
        if let Some(request) = self.sent.take() {
            self.done.requests += 1;
            self.requests.push((step, request));
        }
        Ok(())
    }

    /// Reads the pending reply, unless an edit has read it already, and compares its first action.
    async fn read(&mut self, recorded: Option<&Action>) -> Result<(), LabError> {
        if matches!(self.driver.episode().need(), Need::Read(_)) {
            self.advance().await?;
        }
        let step = self.driver.episode().steps().last();
        let now = match self.driver.episode().need() {
            Need::Act(action) | Need::Person(PersonQuestion::Confirm(action)) => Some(action.clone()),
            _ => step.filter(|step| step.over_limit).and_then(|step| step.action.clone()),
        };
        if now.as_ref() == recorded {
            return Ok(());
        }
        let name = |action: Option<&Action>| action.map_or("a parse error".to_owned(), ToString::to_string);
        Err(self.differs(&format!(
            "the reply is read as {}, the recording has {}",
            name(now.as_ref()),
            name(recorded)
        )))
    }

    async fn act(&mut self, action: &Action, reward: f64, state: Digest) -> Result<(), LabError> {
        if !matches!(self.driver.episode().need(), Need::Act(due) if due == action) {
            return Err(
                self.differs(&format!("the recording has the action {action} here, the replay has none"))
            );
        }
        let index = self.driver.episode().steps().len().saturating_sub(1);
        self.advance().await?;
        let now =
            self.driver.episode().steps().get(index).and_then(|step| Some(step.effect.as_ref()?.reward));
        if now != Some(reward) {
            let now = now.map_or("none".to_owned(), |now| now.to_string());
            return Err(self.differs(&format!("the reward of {action} is {now}, the recording has {reward}")));
        }
        self.same_state(state)
    }

    /// The agent of the role compares its request with the recorded one and repeats the recorded reply, in which the same answer
    /// must be read.
    async fn answer(&mut self, recorded: Option<&Value>) -> Result<(), LabError> {
        let Some(role) = self.driver.episode().inquiry().map(|inquiry| inquiry.question.role) else {
            return Err(self.differs("the recording has a side request here, and the replay needs none"));
        };
        let step = self.driver.episode().steps().last().map_or(1, |step| step.number);
        self.advance().await?;
        self.done.replies += 1;
        if let Some(request) = self.sent.take() {
            self.done.requests += 1;
            self.requests.push((step, request));
        }
        let is_same = match (self.last_answer(role), recorded) {
            (Some(Ok(now)), Some(recorded)) => now == *recorded,
            (Some(Err(_)), None) => true,
            _ => false,
        };
        if is_same {
            return Ok(());
        }
        Err(self.differs(&format!("the answer of the role {role} is not read as recorded")))
    }

    /// What was read in the newest reply of a role; `None` if there is none.
    fn last_answer(&self, role: SideRole) -> Option<Result<Value, String>> {
        let steps = self.driver.episode().steps();
        let mut exchanges = steps.iter().rev().take(2).flat_map(|step| step.side.iter().rev());
        let last = exchanges.find(|exchange| exchange.role() == role)?;
        last.answer.clone()
    }

    async fn answer_again(&mut self) -> Result<(), LabError> {
        if self.driver.episode().inquiry().is_none() {
            return Err(self.differs("the recording uses an answer again here, and the replay asks nothing"));
        }
        self.advance().await
    }

    /// The recorded person is asked the same, and the same is read in the answer.
    fn person(&mut self, stored: &StoredEvent) -> Result<(), LabError> {
        let Some(reply) = stored.person_reply() else { return Ok(()) };
        if self.driver.episode().person_question().as_ref() != Some(&reply.question) {
            return Err(
                self.differs("the recording has the answer of a person here, and the replay asks nothing")
            );
        }
        if reply.read_again() != reply.read {
            return Err(self.differs("the answer of the person is not read as recorded"));
        }
        self.driver.repeat_answer(reply).map_err(|error| failed(&error))
    }

    async fn settle(&mut self, reward: f64) -> Result<(), LabError> {
        if *self.driver.episode().need() != Need::Settle {
            return Err(self.differs("the recording settles an outcome here, and the replay has none"));
        }
        let expected = self.driver.episode().returns().plus(reward);
        self.advance().await?;
        if self.driver.episode().returns() == expected {
            return Ok(());
        }
        Err(self.differs("the outcome is settled with another reward"))
    }

    async fn question(&mut self, recorded: &[Question]) -> Result<(), LabError> {
        if !matches!(self.driver.episode().need(), Need::Judge(_)) {
            return Ok(());
        }
        self.advance().await?;
        let first = self.driver.episode().inquiry().map(|inquiry| &*inquiry.question);
        if first == recorded.first() {
            return Ok(());
        }
        Err(self.differs("the questions for the verdict differ from the recorded ones"))
    }

    /// The environment judges again. An episode that a limit of time or money has ended is not over in the repetition.
    async fn judge(&mut self, recorded: &Judgement) -> Result<(), LabError> {
        if !matches!(self.driver.episode().need(), Need::Judge(_)) {
            return Ok(());
        }
        self.advance().await?;
        match self.driver.episode().judgement() {
            Some(now) if now == recorded => Ok(()),
            _ => Err(self.differs("the verdict of the environment differs from the recorded one")),
        }
    }

    fn same_state(&self, recorded: Digest) -> Result<(), LabError> {
        match self.driver.episode().steps().last() {
            Some(step) if step.state == recorded => Ok(()),
            _ => Err(self.differs("the state differs from the recording")),
        }
    }

    fn differs(&self, what: &str) -> LabError {
        let step = self.driver.episode().steps().len();
        LabError::Mismatch(Problem::new(format!("step {step}: {what}")))
    }
}

/// The error for one of the driver.
fn failed(error: &DriverError) -> LabError {
    let differs =
        matches!(error, DriverError::Agent(AgentError::ReplayMismatch(_) | AgentError::MemoryMismatch(_)));
    let problem = Problem::new(error.to_string());
    if differs { LabError::Mismatch(problem) } else { LabError::Failed(problem) }
}

#[cfg(test)]
mod tests;
