//! The driver: does what an episode needs, writes each event to the journal, and then applies it.

mod commands;
mod decision;
mod decision_observer;
mod error;
mod participants;
mod write_ahead;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use self::error::DriverError;
pub use self::participants::Participants;
pub use self::participants::ReferenceSearch;
pub use self::write_ahead::EventSink;
use self::write_ahead::WriteAhead;
use super::episode::Episode;
use super::episode::Need;
use super::episode_analysis::EpisodeAnalysis;
use super::event::Event;
use super::live_reply::LiveReply;
use super::snapshot::Snapshot;
use crate::dialog::parse_reply;
use crate::domain::Action;
use crate::domain::EnvironmentContext;
use crate::domain::EnvironmentSpec;
use crate::domain::Setting;

/// An episode with everything that is needed to continue it.
pub struct Driver {
    log: WriteAhead,
    participants: Participants,
    live_reply: Arc<LiveReply>,
    context: EnvironmentContext,
    /// Whether a request is running.
    awaits_reply: bool,
}

impl Driver {
    /// A driver for a new episode, or for one restored together with its environment. The reading rules of the head
    /// adapt the environment's reply format. `earlier` is the episode's own time so far.
    pub fn new(episode: Episode, cast: Participants, log: Box<dyn EventSink>, earlier: Duration) -> Self {
        let form = episode.head().rules.reply_format(&cast.form);
        let participants = Participants { form, ..cast };
        let log = WriteAhead::new(episode, log, earlier);
        Self {
            log,
            participants,
            live_reply: Arc::default(),
            context: EnvironmentContext::default(),
            awaits_reply: false,
        }
    }

    /// The episode.
    pub fn episode(&self) -> &Episode {
        self.log.episode()
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.log.elapsed()
    }

    /// Does what the episode needs next, or writes pending events. The future may be dropped while the level opens or
    /// the agent replies: that is a cancel, after which [`Driver::record_cancel`] must be called. It must not be
    /// dropped while the environment acts.
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

    /// Writes pending events: the last thing to do before the episode is closed.
    pub fn flush(&mut self) -> Result<(), DriverError> {
        self.log.flush()
    }

    /// Advances until the episode is over.
    pub async fn run_to_end(&mut self) -> Result<(), DriverError> {
        while self.episode().ending().is_none() {
            self.advance().await?;
        }
        Ok(())
    }

    /// The reply that is being received.
    pub(super) fn live_reply(&self) -> Arc<LiveReply> {
        self.live_reply.clone()
    }

    /// A snapshot of the episode with this analysis, and with what is needed to compose requests.
    pub fn snapshot(
        &self,
        kind: &dyn EnvironmentSpec,
        folder: &Path,
        analysis: &EpisodeAnalysis,
    ) -> Snapshot {
        let (errors, distances) = (analysis.errors().clone(), analysis.distances().clone());
        Snapshot {
            prompts: self.participants.prompts.clone(),
            form: Some(self.participants.form.clone()),
            encoder: self.participants.agent.request_encoder(),
            journal: self.log.path().map(Path::to_owned),
            ..Snapshot::new(self.episode(), kind, folder, errors, distances)
        }
    }

    /// Releases the environment's resources.
    pub async fn close(&mut self) {
        self.participants.environment.close().await;
    }

    async fn open(&mut self) -> Result<(), DriverError> {
        let opening = self.participants.environment.open(&self.context).await?;
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
        let outcome = self.participants.environment.act(&action, &self.context).await?;
        self.log.record(Event::Acted(action, outcome))
    }
}
