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
use crate::domain::Ask;
use crate::domain::Form;
use crate::domain::Observation;
use crate::domain::Policy;
use crate::domain::PolicyError;
use crate::domain::Setting;
use crate::domain::Wanted;

/// An agent around a policy.
pub(super) struct Spoken {
    name: &'static str,
    policy: Slot,
    deep: bool,
}

/// A deep policy thinks on another thread and comes back when it is done, even if nobody waits any more.
type Slot = Arc<Mutex<Box<dyn Policy>>>;

impl Spoken {
    /// Around a policy that decides at once.
    pub(super) fn quick(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { name, policy: Slot::new(Mutex::new(policy)), deep: false }
    }

    /// Around a policy that may search for long: it thinks away from the threads that serve the screen.
    pub(super) fn deep(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { deep: true, ..Self::quick(name, policy) }
    }

    fn failed(&self, error: &PolicyError) -> AgentError {
        AgentError::NoMove { agent: self.name, why: error.to_string() }
    }
}

#[async_trait]
impl Agent for Spoken {
    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError> {
        let mut policy = self.policy.clone().lock_owned().await;
        let said = if self.deep {
            let (question, wanted) = (Question::of(&ask), Wanted::default());
            let stop = wanted.flag();
            tokio::task::spawn_blocking(move || question.put(policy.as_mut(), &stop))
                .await
                .map_err(|error| AgentError::NoMove { agent: self.name, why: error.to_string() })?
        } else {
            Question::of(&ask).put(policy.as_mut(), &AtomicBool::new(false))
        };
        said.map_err(|error| self.failed(&error))
    }
}

/// An ask that can go to another thread.
struct Question {
    step: u32,
    setting: Setting,
    form: Form,
    observation: Observation,
    space: ActionSpace,
    steps_left: u32,
}

impl Question {
    fn of(ask: &Ask<'_>) -> Self {
        Self {
            step: ask.step,
            setting: ask.setting,
            form: ask.form.clone(),
            observation: ask.observation.clone(),
            space: ask.space.clone(),
            steps_left: ask.steps_left,
        }
    }

    fn put(&self, policy: &mut dyn Policy, stop: &AtomicBool) -> Result<Answer, PolicyError> {
        let (actions, reason) = match self.setting {
            Setting::Global => policy.plan(&self.observation, &self.space, self.steps_left, stop)?,
            Setting::Online => match policy.act(self.step, &self.observation, &self.space, stop)? {
                Some((action, reason)) => (vec![action], reason),
                None => (Vec::new(), String::new()),
            },
        };
        if actions.is_empty() {
            return Ok(Answer::Stood);
        }
        Ok(Answer::Said(self.form.write(&reason, &actions).into()))
    }
}
