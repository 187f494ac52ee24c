//! The driver: meets what an episode needs, writes what happened to the journal, then tells the episode.
//!
//! Writing comes first. An event that could not be written waits in the driver, and nothing else happens
//! until it is written; so a full disk loses nothing and an environment never acts twice.

use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::episode::Episode;
use super::episode::Need;
use super::episode::OutOfTurn;
use super::event::Event;
use super::journal::Journal;
use super::journal::JournalError;
use crate::dialog::read;
use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Environment;
use crate::domain::EnvironmentError;
use crate::domain::Form;
use crate::domain::Setting;
use crate::domain::Window;

/// Why the driver stands still. The episode is as it was, and the same can be tried again.
#[derive(Debug, Error)]
pub enum DriveError {
    /// The journal could not be written.
    #[error("the journal cannot be written, so nothing goes on: {0}. Make room, then go on: nothing is lost")]
    Journal(#[from] JournalError),
    /// The agent gave no answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The environment did not act.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The episode refused an event: a mistake of this program.
    #[error(transparent)]
    Order(#[from] OutOfTurn),
}

/// Where events are written before they count.
pub trait Log: Send {
    /// Writes one event; when it fails, nothing of it is left.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Called when the episode is over.
    fn finish(&mut self) -> Result<(), JournalError>;
}

impl Log for Journal {
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        Journal::append(self, at, event)
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        self.sync()
    }
}

/// An episode with everything it takes to go on.
pub struct Driver {
    episode: Episode,
    environment: Box<dyn Environment>,
    agent: Box<dyn Agent>,
    form: Form,
    log: Box<dyn Log>,
    unwritten: Option<Event>,
    began: Instant,
    earlier: Duration,
}

impl Driver {
    /// A driver for an episode that is new, or was restored together with its environment. `earlier` is
    /// the episode's own time so far.
    pub fn new(
        episode: Episode,
        environment: Box<dyn Environment>,
        agent: Box<dyn Agent>,
        form: Form,
        log: Box<dyn Log>,
        earlier: Duration,
    ) -> Self {
        Self { episode, environment, agent, form, log, unwritten: None, began: Instant::now(), earlier }
    }

    /// The episode as it stands.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.began.elapsed()
    }

    /// Meets the present need. Dropping the future while the agent is asked is a cancel (then call
    /// [`Driver::cut`]); while the environment acts it must not be dropped.
    pub async fn meet(&mut self) -> Result<(), DriveError> {
        self.write()?;
        if self.expired() {
            return self.happen(Event::Expired);
        }
        match self.episode.need().clone() {
            Need::Open => self.open().await,
            Need::Decide { step, attempt } => self.decide(step, attempt).await,
            Need::Read(reply) => self.read(&reply),
            Need::Pass => self.happen(Event::Passed),
            Need::Act(action) => self.act(action).await,
            Need::Nothing(_) => Ok(()),
        }
    }

    /// Meets needs until the episode is over.
    pub async fn finish(&mut self) -> Result<(), DriveError> {
        while self.episode.ending().is_none() {
            self.meet().await?;
        }
        Ok(())
    }

    /// The thought under way was dropped; what had come of it is kept.
    pub fn cut(&mut self, text: &str) -> Result<(), DriveError> {
        self.write()?;
        match self.episode.need() {
            Need::Decide { .. } => self.happen(Event::Cut(text.into())),
            _ => Ok(()),
        }
    }

    /// Changes the memory window for the next request.
    pub fn set(&mut self, window: Window) -> Result<(), DriveError> {
        self.write()?;
        self.happen(Event::Set(window))
    }

    /// Ends the episode because a person gives it up.
    pub fn abandon(&mut self) -> Result<(), DriveError> {
        self.write()?;
        self.happen(Event::Abandoned)
    }

    /// Gives back what the environment holds.
    pub async fn close(&mut self) {
        self.environment.close().await;
    }

    async fn open(&mut self) -> Result<(), DriveError> {
        let opening = self.environment.open().await?;
        self.happen(Event::Opened(opening))
    }

    async fn decide(&mut self, step: u32, attempt: u32) -> Result<(), DriveError> {
        self.happen(Event::Asked)?;
        let Some(now) = self.episode.steps().last().cloned() else { return Ok(()) };
        let ask = Ask {
            step,
            attempt,
            setting: self.episode.head().setting,
            form: &self.form,
            observation: &now.seen,
            space: &now.space,
            steps_left: self.episode.head().max_steps.saturating_sub(step - 1),
        };
        let deadline = self.time_left().map(|left| Instant::now() + left);
        let answer = match deadline {
            None => self.agent.decide(ask).await?,
            Some(at) => match tokio::time::timeout_at(at, self.agent.decide(ask)).await {
                Ok(answer) => answer?,
                Err(_) => return self.happen(Event::Cut("".into())),
            },
        };
        self.happen(match answer {
            Answer::Said(text) => Event::Replied(text.into()),
            Answer::Stood => Event::Stood,
        })
    }

    fn read(&mut self, reply: &str) -> Result<(), DriveError> {
        let Some(now) = self.episode.steps().last() else { return Ok(()) };
        let head = self.episode.head();
        let reading = read(head.rules, &self.form, reply, &now.space);
        let event = match (reading.verdict, head.setting) {
            (Err(failure), _) => Event::Refused(failure, reading.marks),
            (Ok(actions), Setting::Global) => Event::Planned(actions, reading.marks),
            (Ok(mut actions), Setting::Online) => Event::Accepted(actions.swap_remove(0), reading.marks),
        };
        self.happen(event)
    }

    async fn act(&mut self, action: Action) -> Result<(), DriveError> {
        let outcome = self.environment.act(&action).await?;
        self.happen(Event::Acted(action, outcome))
    }

    fn happen(&mut self, event: Event) -> Result<(), DriveError> {
        self.unwritten = Some(event);
        self.write()
    }

    /// Writes the event that waits, if one does, and only then lets it count.
    fn write(&mut self) -> Result<(), DriveError> {
        let Some(event) = &self.unwritten else { return Ok(()) };
        let at = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.log.append(at, event)?;
        if let Some(event) = self.unwritten.take() {
            self.episode.apply(event)?;
        }
        match self.episode.ending() {
            Some(_) => Ok(self.log.finish()?),
            None => Ok(()),
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let limit = Duration::from_secs(self.episode.head().max_time?);
        Some(limit.saturating_sub(self.elapsed()))
    }

    fn expired(&self) -> bool {
        let under_way = self.episode.ending().is_none() && *self.episode.need() != Need::Open;
        under_way && self.time_left().is_some_and(|left| left.is_zero())
    }
}
