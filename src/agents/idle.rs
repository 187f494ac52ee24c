//! The agent that does nothing: whatever it scores, the level gives away for free.

use async_trait::async_trait;

use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;

/// Stands at the first step.
pub(super) struct Idle;

#[async_trait]
impl Agent for Idle {
    async fn decide(&mut self, _: Ask<'_>) -> Result<Answer, AgentError> {
        Ok(Answer::Stood)
    }
}
