//! The environment traits: [`World`] for a pure state in memory, [`Environment`] for all environments,
//! including live ones.

use async_trait::async_trait;
use thiserror::Error;

use super::Action;
use super::ActionSpace;
use super::Observation;

/// The status of the task. Limits of steps and time belong to the episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not finished.
    Running,
    /// The goal has been reached.
    Won,
    /// The goal cannot be reached, and the environment ends the episode.
    Lost,
}

/// The initial state of an environment.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first observation.
    pub observation: Observation,
    /// The actions allowed at the first step.
    pub space: ActionSpace,
    /// The status before any action; a level may be won initially.
    pub status: Status,
}

/// The result of an action.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The observation after the action.
    pub observation: Observation,
    /// The actions allowed next.
    pub space: ActionSpace,
    /// The reward of this action, in the unit of the environment.
    pub reward: f64,
    /// The status after the action.
    pub status: Status,
    /// A remark on this step for people.
    pub note: Option<String>,
}

/// Why an environment failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// The action is not in the action space. The state has not changed.
    #[error("{action} is not in the action space: {space}")]
    InvalidAction {
        /// The action as given.
        action: String,
        /// The allowed names, separated by commas.
        space: String,
    },
    /// An internal failure.
    #[error("the environment failed: {0}")]
    Failed(String),
}

/// How an episode in this environment is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeMode {
    /// By replaying the recorded actions, which restores the same state.
    Replay,
    /// By opening the environment again and observing its current state.
    Reopen,
    /// Not at all: the state is lost.
    Never,
}

/// A pure world: a value with rules. A clone is a checkpoint of its state.
pub trait World: Clone + Send + 'static {
    /// The allowed actions.
    fn space(&self) -> ActionSpace;
    /// The current observation. Earlier observations remain valid.
    fn observe(&mut self) -> Observation;
    /// The status of the task.
    fn status(&self) -> Status;
    /// Executes an action and returns its reward and remark. An action outside [`World::space`] is an error and
    /// changes nothing.
    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError>;
}

/// An environment, live or pure.
#[async_trait]
pub trait Environment: Send {
    /// Opens the level. Called once.
    async fn open(&mut self) -> Result<Opening, EnvironmentError>;
    /// Executes one action. The engine never drops this future before it completes.
    async fn act(&mut self, action: &Action) -> Result<Outcome, EnvironmentError>;
    /// How an episode in this environment is resumed.
    fn resume_mode(&self) -> ResumeMode;
    /// Releases the resources of the environment outside this process.
    async fn close(&mut self) {}
}

/// Wraps a [`World`] as an [`Environment`].
pub fn from_world(world: impl World + Sync) -> Box<dyn Environment> {
    Box::new(WorldEnvironment(world))
}

struct WorldEnvironment<W>(W);

#[async_trait]
impl<W: World + Sync> Environment for WorldEnvironment<W> {
    async fn open(&mut self) -> Result<Opening, EnvironmentError> {
        Ok(Opening { observation: self.0.observe(), space: self.0.space(), status: self.0.status() })
    }

    async fn act(&mut self, action: &Action) -> Result<Outcome, EnvironmentError> {
        let (reward, note) = self.0.step(action)?;
        Ok(Outcome {
            observation: self.0.observe(),
            space: self.0.space(),
            reward,
            status: self.0.status(),
            note,
        })
    }

    fn resume_mode(&self) -> ResumeMode {
        ResumeMode::Replay
    }
}
