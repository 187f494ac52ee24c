//! The `human` agent: a person decides on the screen.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::DecisionInput;

/// Receives actions through a channel and writes them as a reply, which is parsed, displayed and remembered like
/// any other.
pub(super) struct HumanAgent {
    decisions: mpsc::UnboundedReceiver<Vec<Action>>,
}

impl HumanAgent {
    pub(super) fn new(decisions: mpsc::UnboundedReceiver<Vec<Action>>) -> Self {
        Self { decisions }
    }
}

#[async_trait]
impl Agent for HumanAgent {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let actions = self.decisions.recv().await.ok_or(AgentError::PersonLeft)?;
        Ok(Answer::Replied(input.form.write("(chosen by a person)", &actions).into()))
    }
}
