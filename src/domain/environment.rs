//! A world with rules, and the two ways to be one: [`World`] for pure state in memory,
//! [`Environment`] for everything, the live ones included.

use async_trait::async_trait;
use thiserror::Error;

use super::Action;
use super::ActionSpace;
use super::Observation;

/// How the task itself stands. Patience (steps, time) belongs to the episode, not here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The task goes on.
    Running,
    /// The goal is reached.
    Won,
    /// The goal is out of reach and the environment ends the episode.
    Lost,
}

/// What an environment shows when it opens.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first observation.
    pub observation: Observation,
    /// What is allowed at the first step.
    pub space: ActionSpace,
    /// How the task stands before any action; a level may open won.
    pub status: Status,
}

/// What an action brought about.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The observation after the action.
    pub observation: Observation,
    /// What is allowed next.
    pub space: ActionSpace,
    /// The reward of this step, in the environment's own unit.
    pub reward: f64,
    /// How the task stands now.
    pub status: Status,
    /// What a person should know about this step, in a sentence, if anything.
    pub note: Option<String>,
}

/// Why an environment could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// The action is outside the action space. Nothing has changed.
    #[error("{action} is not an action here; the action space is {space}")]
    InvalidAction {
        /// The action as given.
        action: String,
        /// The names that are allowed, separated by commas.
        space: String,
    },
    /// The environment broke down.
    #[error("the environment failed: {0}")]
    Failed(String),
}

/// How an episode that was left is picked up in this environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeMode {
    /// The recorded actions are played again and lead to the same state.
    Replay,
    /// The surface is opened again as it is now and looked at anew.
    Reopen,
    /// What was left is gone.
    Never,
}

/// A pure world: a value with rules. A clone is a checkpoint.
pub trait World: Clone + Send + 'static {
    /// The actions allowed now.
    fn space(&self) -> ActionSpace;
    /// The state as an agent is shown it. What somebody still holds of earlier ones stays as it is.
    fn observe(&mut self) -> Observation;
    /// How the task stands.
    fn status(&self) -> Status;
    /// Acts. An action outside [`World::space`] changes nothing and is an error.
    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError>;
}

/// Any environment, live or pure.
#[async_trait]
pub trait Environment: Send {
    /// Opens the level and shows its first observation. Called once.
    async fn open(&mut self) -> Result<Opening, EnvironmentError>;
    /// Carries out one action. Never dropped half-way by the engine.
    async fn act(&mut self, action: &Action) -> Result<Outcome, EnvironmentError>;
    /// How an episode in this environment is picked up.
    fn resume_mode(&self) -> ResumeMode;
    /// Gives back what the environment holds outside this process.
    async fn close(&mut self) {}
}

/// A [`World`] as an [`Environment`] that answers at once.
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
