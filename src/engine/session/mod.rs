//! A session: a driver that takes orders and shows what has become of them.

mod actor;
mod command;
mod desk;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::watch;

pub use self::command::SessionCommand;
use super::distance_search::SearchLimits;
use super::driver::Driver;
use super::snapshot::Snapshot;
use crate::domain::Action;
use crate::domain::EnvironmentSpec;

/// A session under way, or a recording of one.
#[derive(Debug)]
pub struct Session {
    /// Where orders go; `None` for a recording.
    pub commands: Option<mpsc::UnboundedSender<SessionCommand>>,
    /// The newest snapshot.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
}

/// What a session is started with, beside its driver.
pub struct SessionOptions {
    /// The kind of environment, for the score.
    pub kind: &'static dyn EnvironmentSpec,
    /// Where a person's actions go, if the seat is a person's.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// The pause between two steps while running.
    pub pace: Duration,
    /// How far a search for a distance may go; `None` when distances are not searched.
    pub distance_limits: Option<SearchLimits>,
    /// The session's folder.
    pub folder: PathBuf,
}

impl Session {
    /// Starts a session on the present runtime. It opens the level and then stands. It ends after
    /// [`SessionCommand::Leave`], and nobody sends snapshots any more when it has.
    pub fn start(driver: Driver, terms: SessionOptions) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        let (actor, snapshots) = actor::Actor::new(driver, terms, inbox);
        tokio::spawn(actor.run());
        Self { commands: Some(orders), snapshots }
    }
}
