//! The driver: meets what an episode needs, writes what happened to the journal, then tells the episode.

mod commands;
mod decision;
mod error;
mod event_sink;
mod participants;
mod write_ahead;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use self::error::DriverError;
pub use self::event_sink::EventSink;
pub use self::participants::Participants;
pub use self::participants::ReferenceSearch;
use self::write_ahead::WriteAhead;
use super::episode::Episode;
use super::episode::Need;
use super::event::Event;
use super::live_reply::LiveReply;
use super::snapshot::Snapshot;
use crate::dialog::parse_reply;
use crate::domain::Action;
use crate::domain::EnvironmentSpec;
use crate::domain::Setting;

/// An episode with everything it takes to go on.
pub struct Driver {
    log: WriteAhead,
    participants: Participants,
    live_reply: Arc<LiveReply>,
    /// Whether the agent was asked and nothing has come of it yet.
    awaits_reply: bool,
}

impl Driver {
    /// A driver for an episode that is new, or was restored together with its environment. The reading rules
    /// of the head say what becomes of the environment's form. `earlier` is the episode's own time so far.
    pub fn new(episode: Episode, cast: Participants, log: Box<dyn EventSink>, earlier: Duration) -> Self {
        let form = episode.head().rules.reply_format(&cast.form);
        let participants = Participants { form, ..cast };
        let log = WriteAhead::new(episode, log, earlier);
        Self { log, participants, live_reply: Arc::default(), awaits_reply: false }
    }

    /// The episode as it stands.
    pub fn episode(&self) -> &Episode {
        self.log.episode()
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.log.elapsed()
    }

    /// Meets the present need, or writes what waits to be written. Dropping the future while the level
    /// opens or the agent is asked is a cancel (then call [`Driver::cut`]); while the environment acts it
    /// must not be dropped.
    pub async fn advance(&mut self) -> Result<(), DriverError> {
        if self.log.has_unwritten() {
            return self.log.flush();
        }
        if self.log.is_expired() {
            return self.log.record(Event::Expired);
        }
        match self.episode().need().clone() {
            Need::Open => self.open().await,
            Need::Decide { step, attempt } => {
                self.ask()?;
                self.await_reply(step, attempt).await
            }
            Need::Read(reply) => self.read(&reply),
            Need::Skip => self.log.record(Event::Skipped),
            Need::Act(action) => self.act(action).await,
            Need::Nothing(_) => Ok(()),
        }
    }

    /// Writes what waits to be written: the last thing to do before an episode is left.
    pub fn flush(&mut self) -> Result<(), DriverError> {
        self.log.flush()
    }

    /// Meets needs until the episode is over.
    pub async fn run_to_end(&mut self) -> Result<(), DriverError> {
        while self.episode().ending().is_none() {
            self.advance().await?;
        }
        Ok(())
    }

    /// What has been heard of the thought under way.
    pub(super) fn live_reply(&self) -> Arc<LiveReply> {
        self.live_reply.clone()
    }

    /// The episode as it stands, with what it takes to look at requests.
    pub fn snapshot(&self, kind: &dyn EnvironmentSpec, folder: &Path) -> Snapshot {
        Snapshot {
            prompts: self.participants.prompts.clone(),
            form: Some(self.participants.form.clone()),
            encoder: self.participants.agent.request_encoder(),
            journal: self.log.path().map(Path::to_owned),
            ..Snapshot::of_recording(self.episode(), kind, folder)
        }
    }

    /// Gives back what the environment holds.
    pub async fn close(&mut self) {
        self.participants.environment.close().await;
    }

    async fn open(&mut self) -> Result<(), DriverError> {
        let opening = self.participants.environment.open().await?;
        let reference = self.participants.find_reference().await;
        self.log.record(Event::Opened(opening, reference))
    }

    fn read(&mut self, reply: &str) -> Result<(), DriverError> {
        let Some(now) = self.episode().steps().last() else { return Ok(()) };
        let head = self.episode().head();
        let reading = parse_reply(&head.rules, &self.participants.form, reply, &now.space);
        let event = match (reading.result, head.setting) {
            (Err(failure), _) => Event::Refused(failure, reading.spans),
            (Ok(actions), Setting::Global) => Event::Planned(actions, reading.spans),
            (Ok(mut actions), Setting::Online) => Event::Accepted(actions.swap_remove(0), reading.spans),
        };
        self.log.record(event)
    }

    async fn act(&mut self, action: Action) -> Result<(), DriverError> {
        let outcome = self.participants.environment.act(&action).await?;
        self.log.record(Event::Acted(action, outcome))
    }
}
