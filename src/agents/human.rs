//! The `human` agent: a person decides on the screen.

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::{AgentContext, AgentRow, AgentSetupError, CreatedAgent};
use mageyard_domain::{Action, Agent, AgentError, Answer, DecisionInput};

pub(super) const ROW: AgentRow =
    AgentRow { needs_person: true, ..AgentRow::new("human", "you, at the screen", create) };

#[expect(clippy::unnecessary_wraps, reason = "the signature of all constructors")]
fn create(_: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    let (person, actions) = mpsc::unbounded_channel();
    Ok(CreatedAgent { agent: Box::new(HumanAgent::new(actions)), human_actions: Some(person) })
}

/// Receives actions through a channel and writes them as a reply, which is parsed, displayed and remembered like
/// any other.
struct HumanAgent {
    decisions: mpsc::UnboundedReceiver<Vec<Action>>,
}

impl HumanAgent {
    fn new(decisions: mpsc::UnboundedReceiver<Vec<Action>>) -> Self {
        Self { decisions }
    }
}

#[async_trait]
impl Agent for HumanAgent {
    fn is_person(&self) -> bool {
        true
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let actions = self.decisions.recv().await.ok_or(AgentError::PersonLeft)?;
        Ok(Answer::Replied(input.form.write("(chosen by a person)", &actions, input.space).into()))
    }
}
