//! The `replies` agent: it says what another program has collected, one text a step. It sees nothing and repeats nothing.

use std::sync::Arc;

use async_trait::async_trait;

use super::{AgentRow, AgentSetupError, CreatedAgent};
use mageyard_domain::{Agent, AgentError, Answer, DecisionInput, Reply};

pub(super) const ROW: AgentRow = AgentRow {
    takes_replies: true,
    ..AgentRow::new("replies", "gives replies that were collected elsewhere", |context| {
        if context.replies.is_empty() {
            return Err(AgentSetupError::NoReplies);
        }
        Ok(CreatedAgent::alone(RepliesAgent { replies: context.replies }))
    })
};

struct RepliesAgent {
    /// The reply of each step.
    replies: Arc<[Arc<str>]>,
}

#[async_trait]
impl Agent for RepliesAgent {
    /// Gives up after the last step that has a reply, and where a reply could not be read, because there is no other.
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let index = usize::try_from(input.step).ok().and_then(|step| step.checked_sub(1));
        let text = index.filter(|_| input.attempt == 1).and_then(|index| self.replies.get(index));
        Ok(text.map_or(Answer::GaveUp, |text| Answer::Replied(Reply::from(text.to_string()))))
    }
}
