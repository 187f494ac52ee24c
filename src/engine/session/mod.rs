//! A session: a task that drives an episode, takes commands and publishes snapshots.

mod command;
mod task;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

pub use self::command::SessionCommand;
use self::task::SessionTask;
use super::controller::Controller;
use super::driver::Driver;
use super::snapshot::Snapshot;
use mageyard_domain::{Action, EnvironmentSpec, SearchLimits};

/// A running session, or a recording of one.
#[derive(Debug)]
pub struct Session {
    /// Where commands go; `None` for a recording.
    pub commands: Option<mpsc::UnboundedSender<SessionCommand>>,
    /// The newest snapshot.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
}

/// The options of a session.
pub struct SessionOptions {
    /// The environment, for scores.
    pub kind: &'static dyn EnvironmentSpec,
    /// Where a person's actions go, if the agent is a person.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// The pause between two steps while running.
    pub pace: Duration,
    /// The limits of distance searches; `None` to search none.
    pub distance_limits: Option<SearchLimits>,
    /// The session's folder.
    pub folder: PathBuf,
}

impl Session {
    /// Starts a session on the current Tokio runtime. It opens the level and pauses. It ends after
    /// [`SessionCommand::Leave`]; the snapshot channel is closed then.
    pub fn start(driver: Driver, options: SessionOptions) -> Self {
        let (commands, inbox) = mpsc::unbounded_channel();
        let mut controller = Controller::new(driver, options.kind, options.distance_limits);
        let (task, snapshots) = SessionTask::new(&mut controller, options, inbox);
        tokio::spawn(task.run(controller));
        Self { commands: Some(commands), snapshots }
    }
}
