//! The agent that is a person: what was decided at the screen comes in through a channel.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::DecisionInput;

/// Waits for a person, and puts the decision into the form of a reply, so that it is read, shown and
/// remembered like any other.
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
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let actions = self.decisions.recv().await.ok_or(AgentError::PersonLeft)?;
        Ok(Answer::Replied(ask.form.write("(decided by hand)", &actions).into()))
    }
}
