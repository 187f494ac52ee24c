//! The driver: meets what an episode needs, writes what happened to the journal, then tells the episode.

mod cast;
mod error;
mod journaled;
mod log;
mod orders;
mod thinking;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use self::cast::Cast;
pub use self::cast::Search;
pub use self::error::DriveError;
use self::journaled::Journaled;
pub use self::log::Log;
use super::episode::Episode;
use super::episode::Need;
use super::event::Event;
use super::hearing::Hearing;
use super::snapshot::Snapshot;
use crate::dialog::read;
use crate::domain::Action;
use crate::domain::Kind;
use crate::domain::Setting;

/// An episode with everything it takes to go on.
pub struct Driver {
    journaled: Journaled,
    cast: Cast,
    hearing: Arc<Hearing>,
    /// Whether the agent was asked and nothing has come of it yet.
    asked: bool,
}

impl Driver {
    /// A driver for an episode that is new, or was restored together with its environment. The reading rules
    /// of the head say what becomes of the environment's form. `earlier` is the episode's own time so far.
    pub fn new(episode: Episode, cast: Cast, log: Box<dyn Log>, earlier: Duration) -> Self {
        let form = episode.head().rules.form(&cast.form);
        let cast = Cast { form, ..cast };
        let journaled = Journaled::new(episode, log, earlier);
        Self { journaled, cast, hearing: Arc::default(), asked: false }
    }

    /// The episode as it stands.
    pub fn episode(&self) -> &Episode {
        self.journaled.episode()
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.journaled.elapsed()
    }

    /// Meets the present need, or writes what waits to be written. Dropping the future while the level
    /// opens or the agent is asked is a cancel (then call [`Driver::cut`]); while the environment acts it
    /// must not be dropped.
    pub async fn meet(&mut self) -> Result<(), DriveError> {
        if self.journaled.is_behind() {
            return self.journaled.write();
        }
        if self.journaled.is_expired() {
            return self.journaled.happen(Event::Expired);
        }
        match self.episode().need().clone() {
            Need::Open => self.open().await,
            Need::Decide { step, attempt } => {
                self.ask()?;
                self.think(step, attempt).await
            }
            Need::Read(reply) => self.read(&reply),
            Need::Pass => self.journaled.happen(Event::Passed),
            Need::Act(action) => self.act(action).await,
            Need::Nothing(_) => Ok(()),
        }
    }

    /// Writes what waits to be written: the last thing to do before an episode is left.
    pub fn settle(&mut self) -> Result<(), DriveError> {
        self.journaled.write()
    }

    /// Meets needs until the episode is over.
    pub async fn finish(&mut self) -> Result<(), DriveError> {
        while self.episode().ending().is_none() {
            self.meet().await?;
        }
        Ok(())
    }

    /// What has been heard of the thought under way.
    pub(super) fn hearing(&self) -> Arc<Hearing> {
        self.hearing.clone()
    }

    /// The episode as it stands, with what it takes to look at requests.
    pub fn snapshot(&self, kind: &dyn Kind, folder: &Path) -> Snapshot {
        Snapshot {
            prompts: self.cast.prompts.clone(),
            form: Some(self.cast.form.clone()),
            packing: self.cast.agent.packing(),
            journal: self.journaled.path().map(Path::to_owned),
            ..Snapshot::of(self.episode(), kind, folder)
        }
    }

    /// Gives back what the environment holds.
    pub async fn close(&mut self) {
        self.cast.environment.close().await;
    }

    async fn open(&mut self) -> Result<(), DriveError> {
        let opening = self.cast.environment.open().await?;
        let reference = self.cast.best().await;
        self.journaled.happen(Event::Opened(opening, reference))
    }

    fn read(&mut self, reply: &str) -> Result<(), DriveError> {
        let Some(now) = self.episode().steps().last() else { return Ok(()) };
        let head = self.episode().head();
        let reading = read(&head.rules, &self.cast.form, reply, &now.space);
        let event = match (reading.verdict, head.setting) {
            (Err(failure), _) => Event::Refused(failure, reading.marks),
            (Ok(actions), Setting::Global) => Event::Planned(actions, reading.marks),
            (Ok(mut actions), Setting::Online) => Event::Accepted(actions.swap_remove(0), reading.marks),
        };
        self.journaled.happen(event)
    }

    async fn act(&mut self, action: Action) -> Result<(), DriveError> {
        let outcome = self.cast.environment.act(&action).await?;
        self.journaled.happen(Event::Acted(action, outcome))
    }
}
