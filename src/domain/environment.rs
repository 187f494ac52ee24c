//! The environment: a surface that is opened, acted on, looked at, and closed. It may be a value in memory (see
//! `World`), or a live surface outside this process, where every call can wait.

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;

use super::{
    ActProblem, Action, ActionError, ActionSpace, Answered, Checkpoint, Conclusion, EnvironmentContext,
    Observation, Question, Recovery, Settlement, Verdict,
};

/// The status of the task. Limits of steps and time belong to the episode, except those of the level itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not finished.
    Running,
    /// The goal has been reached.
    Won,
    /// The goal cannot be reached, and the environment ends the episode.
    Lost,
    /// The time of the level is over, neither won nor lost: the environment ends the episode.
    TimeUp,
    /// The agent has declared that it is done, by an action that says so. Neither won nor lost: a verdict decides, if the
    /// environment gives one.
    Finished,
}

/// The state of an environment without any action: when it was opened, or when it was looked at.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The observation.
    pub observation: Observation,
    /// The actions allowed now.
    pub space: ActionSpace,
    /// The status; a level may be won initially.
    pub status: Status,
    /// The sum of rewards that the state has before any action, such as the score of a page that is given at the start: where
    /// the sums of an episode begin. 0 in most environments.
    pub points: f64,
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
    /// Why the action did not do what it says; `None` if it did.
    pub problem: Option<ActProblem>,
    /// What a model must answer before reward and status are final: [`Environment::settle`] is called with the answers. Empty
    /// in most environments.
    pub questions: Vec<Question>,
}

/// Why an environment failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// The action is not in the action space. The state has not changed.
    #[error(transparent)]
    InvalidAction(#[from] ActionError),
    /// The call ended early because its context was cancelled. It may have changed the surface.
    #[error("the environment was stopped")]
    Cancelled,
    /// The environment does not have this ability, such as `save checkpoints`.
    #[error("this environment cannot {0}")]
    Unsupported(&'static str),
    /// A text is no state of the level. The state has not changed.
    #[error("not a state of this level: {0}")]
    InvalidState(String),
    /// An internal failure. It may have changed the surface.
    #[error("the environment failed: {0}")]
    Failed(String),
}

/// How long a cancelled call may go on before it is dropped, unless the environment says otherwise.
const GRACE: Duration = Duration::from_secs(1);

/// An environment, live or pure.
///
/// Every call that can wait takes a context. When `context.cancel` is cancelled, the call should end soon, with its
/// result or with [`EnvironmentError::Cancelled`]. After [`Environment::grace`] its future is dropped. A call must
/// never block the thread.
#[async_trait]
pub trait Environment: Send {
    /// How an episode comes back after this process has ended.
    fn recovery(&self) -> Recovery;
    /// Opens the level.
    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError>;
    /// Executes one action. With [`Recovery::Replay`], an action that fails or is dropped must not have happened.
    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError>;
    /// Observes the current state without acting.
    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError>;
    /// Opens the environment again, after this process or another one has lost it. `last` is the newest observation
    /// of the episode; its facts can say what to return to, such as an address. The surface may differ from it.
    async fn reopen(
        &mut self,
        last: &Observation,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let _ = last;
        self.open(context).await.map(drop)
    }
    /// Changes the state to the one that this text describes, in the notation of [`super::StateEditor`], and observes it. A
    /// text that is no state of this level is refused with the reason, and changes nothing.
    async fn set_state(
        &mut self,
        state: &str,
        context: &EnvironmentContext,
    ) -> Result<Opening, EnvironmentError> {
        let _ = (state, context);
        Err(EnvironmentError::Unsupported("take an edited state"))
    }
    /// Saves the current state.
    async fn checkpoint(&mut self, context: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        let _ = context;
        Err(EnvironmentError::Unsupported("save checkpoints"))
    }
    /// Returns to a saved state of the same level. Also opens an environment that is not open.
    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let _ = (checkpoint, context);
        Err(EnvironmentError::Unsupported("restore checkpoints"))
    }
    /// How long a cancelled call may go on before it is dropped.
    fn grace(&self) -> Duration {
        GRACE
    }
    /// Says what the answers to [`Outcome::questions`] add to the outcome with this observation. The environment may have been
    /// opened again since.
    async fn settle(
        &mut self,
        seen: &Observation,
        answers: &[Answered],
        context: &EnvironmentContext,
    ) -> Result<Settlement, EnvironmentError> {
        let _ = (seen, answers, context);
        Err(EnvironmentError::Unsupported("ask questions"))
    }
    /// Judges the episode, which is over, and cleans up what takes longer than [`Environment::close`] may. Called when
    /// [`Judging::judges`](crate::Judging::judges) says so, however the episode ended, within a time limit of its own. An
    /// error is no score. A verdict with questions is not given yet: the environment is called again with the answers, until
    /// it asks nothing new.
    async fn judge(
        &mut self,
        conclusion: &Conclusion,
        context: &EnvironmentContext,
    ) -> Result<Verdict, EnvironmentError> {
        let _ = (conclusion, context);
        Err(EnvironmentError::Unsupported("judge episodes"))
    }
    /// Whether [`Environment::judge`] needs nothing but the conclusion: then it is called without opening the environment again
    /// where an episode is resumed after its end.
    fn judges_stored(&self) -> bool {
        false
    }
    /// Releases the resources outside this process. Called once after each opening, also after errors, and limited
    /// in time; what it does not reach must be released when the value is dropped.
    async fn close(&mut self) {}
}
