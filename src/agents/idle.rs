//! The `idle` agent: it does nothing, which gives the lowest score of a level.

use async_trait::async_trait;

use super::{AgentRow, CreatedAgent};
use mageyard_domain::{Agent, AgentError, Answer, DecisionInput};

pub(super) const ROW: AgentRow =
    AgentRow::new("idle", "does nothing: the lowest score", |_| Ok(CreatedAgent::alone(IdleAgent)));

/// Gives up at the first step.
struct IdleAgent;

#[async_trait]
impl Agent for IdleAgent {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        Ok(Answer::GaveUp)
    }
}
