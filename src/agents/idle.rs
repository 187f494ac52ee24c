//! The `idle` agent: it does nothing, which gives the lowest score of a level.

use async_trait::async_trait;

use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::DecisionInput;

/// Gives up at the first step.
pub(super) struct IdleAgent;

#[async_trait]
impl Agent for IdleAgent {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        Ok(Answer::GaveUp)
    }
}
