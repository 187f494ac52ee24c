//! An agent that takes given actions and says nothing about them. It leads to the states of a suite.

use async_trait::async_trait;
use tokio::sync::mpsc;

use mageyard_domain::{Action, Agent, AgentError, Answer, DecisionInput};

/// Takes the actions that arrive, one a step.
pub(super) struct ScriptAgent {
    actions: mpsc::UnboundedReceiver<Action>,
}

impl ScriptAgent {
    /// The agent, and where its actions are put before each step.
    pub(super) fn new() -> (Self, mpsc::UnboundedSender<Action>) {
        let (sender, actions) = mpsc::unbounded_channel();
        (Self { actions }, sender)
    }
}

#[async_trait]
impl Agent for ScriptAgent {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let action = self.actions.recv().await.ok_or(AgentError::PersonLeft)?;
        Ok(Answer::Replied(input.form.write("", &[action], input.space).into()))
    }
}
