//! A policy that speaks: its decision in the reply form of the setting, so that reader, panes and memory
//! take the same path as with a model.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::domain::ActionSpace;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::CancelOnDrop;
use crate::domain::DecisionInput;
use crate::domain::Observation;
use crate::domain::Policy;
use crate::domain::PolicyError;
use crate::domain::ReplyFormat;
use crate::domain::Setting;

/// An agent around a policy.
pub(super) struct PolicyAgent {
    name: &'static str,
    policy: SharedPolicy,
    blocking: bool,
}

/// A deep policy thinks on another thread and comes back when it is done, even if nobody waits any more.
type SharedPolicy = Arc<Mutex<Box<dyn Policy>>>;

impl PolicyAgent {
    /// Around a policy that decides at once.
    pub(super) fn immediate(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { name, policy: SharedPolicy::new(Mutex::new(policy)), blocking: false }
    }

    /// Around a policy that may search for long: it thinks away from the threads that serve the screen.
    pub(super) fn blocking(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { blocking: true, ..Self::immediate(name, policy) }
    }

    fn no_action(&self, error: &PolicyError) -> AgentError {
        AgentError::NoAction { agent: self.name, why: error.to_string() }
    }
}

#[async_trait]
impl Agent for PolicyAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let mut policy = self.policy.clone().lock_owned().await;
        let said = if self.blocking {
            let (question, wanted) = (PolicyInput::of(&ask), CancelOnDrop::default());
            let stop = wanted.flag();
            tokio::task::spawn_blocking(move || question.decide(policy.as_mut(), &stop))
                .await
                .map_err(|error| AgentError::NoAction { agent: self.name, why: error.to_string() })?
        } else {
            PolicyInput::of(&ask).decide(policy.as_mut(), &AtomicBool::new(false))
        };
        said.map_err(|error| self.no_action(&error))
    }
}

/// An ask that can go to another thread.
struct PolicyInput {
    step: u32,
    setting: Setting,
    form: ReplyFormat,
    observation: Observation,
    space: ActionSpace,
    steps_left: u32,
}

impl PolicyInput {
    fn of(ask: &DecisionInput<'_>) -> Self {
        Self {
            step: ask.step,
            setting: ask.setting,
            form: ask.form.clone(),
            observation: ask.observation.clone(),
            space: ask.space.clone(),
            steps_left: ask.steps_left,
        }
    }

    fn decide(&self, policy: &mut dyn Policy, stop: &AtomicBool) -> Result<Answer, PolicyError> {
        let (actions, reason) = match self.setting {
            Setting::Global => policy.plan(&self.observation, &self.space, self.steps_left, stop)?,
            Setting::Online => match policy.next_action(self.step, &self.observation, &self.space, stop)? {
                Some((action, reason)) => (vec![action], reason),
                None => (Vec::new(), String::new()),
            },
        };
        if actions.is_empty() {
            return Ok(Answer::GaveUp);
        }
        Ok(Answer::Replied(self.form.write(&reason, &actions).into()))
    }
}
