//! The pure world: a value with rules, which is also an environment.

use async_trait::async_trait;

use super::{
    Action, ActionSpace, Checkpoint, Environment, EnvironmentContext, EnvironmentError, Observation, Opening,
    Outcome, Recovery, Status,
};

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
    /// Changes the state to the one that this text describes. A text that is no state of this level is refused and
    /// changes nothing.
    fn set_state(&mut self, state: &str) -> Result<(), EnvironmentError> {
        let _ = state;
        Err(EnvironmentError::Unsupported("take an edited state"))
    }
}

/// Wraps a [`World`] as an [`Environment`].
pub fn from_world(world: impl World + Sync) -> Box<dyn Environment> {
    Box::new(WorldEnvironment(world))
}

struct WorldEnvironment<W>(W);

impl<W: World> WorldEnvironment<W> {
    fn seen(&mut self) -> Opening {
        Opening { observation: self.0.observe(), space: self.0.space(), status: self.0.status(), points: 0.0 }
    }
}

#[async_trait]
impl<W: World + Sync> Environment for WorldEnvironment<W> {
    fn recovery(&self) -> Recovery {
        Recovery::Replay
    }

    async fn open(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(self.seen())
    }

    async fn act(&mut self, action: &Action, _: &EnvironmentContext) -> Result<Outcome, EnvironmentError> {
        let (reward, note) = self.0.step(action)?;
        let Opening { observation, space, status, .. } = self.seen();
        Ok(Outcome { observation, space, reward, status, note, problem: None, questions: Vec::new() })
    }

    async fn look(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(self.seen())
    }

    async fn set_state(&mut self, state: &str, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.0.set_state(state)?;
        Ok(self.seen())
    }

    async fn checkpoint(&mut self, _: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        Ok(Checkpoint::of_value(self.0.clone()))
    }

    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        _: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let foreign = || EnvironmentError::Failed("the checkpoint belongs to another environment".into());
        self.0.clone_from(checkpoint.value::<W>().ok_or_else(foreign)?);
        Ok(())
    }
}
