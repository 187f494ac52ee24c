//! An agent that runs a policy. It writes the decision in the reply format, so that it is parsed, displayed and
//! remembered like the reply of a model.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::{AgentRow, AgentSetupError, CreatedAgent};
use mageyard_domain::{
    Action, ActionSpace, Agent, AgentError, Answer, CancelOnDrop, DecisionInput, Observation, Policy,
    PolicyError, Setting,
};

/// The solver of the environment as an agent.
pub(super) const ORACLE: AgentRow =
    AgentRow::new("oracle", "plays a shortest solution, found by the environment's solver", |context| {
        let solver = context.oracle.ok_or(AgentSetupError::NoOracle)?;
        Ok(CreatedAgent::alone(PolicyAgent::blocking("oracle", solver())))
    });

/// A policy of the environment as an agent, which has the name of the policy.
pub(super) const OF_ENVIRONMENT: AgentRow =
    AgentRow::new("policy", "plays a policy of the environment", |context| {
        let policy = context.policy.ok_or(AgentSetupError::NoOracle)?;
        Ok(CreatedAgent::alone(PolicyAgent::blocking(policy.name, (policy.create)())))
    });

/// An agent that runs a policy.
pub(super) struct PolicyAgent {
    name: &'static str,
    policy: SharedPolicy,
    blocking: bool,
}

/// Shared with the blocking thread, which may outlive a cancelled decision.
type SharedPolicy = Arc<Mutex<Box<dyn Policy>>>;

impl PolicyAgent {
    /// For a policy that decides immediately.
    pub(super) fn immediate(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { name, policy: SharedPolicy::new(Mutex::new(policy)), blocking: false }
    }

    /// For a policy that may search for a long time; it runs on a blocking thread.
    pub(super) fn blocking(name: &'static str, policy: Box<dyn Policy>) -> Self {
        Self { blocking: true, ..Self::immediate(name, policy) }
    }

    fn no_action(&self, error: &PolicyError) -> AgentError {
        AgentError::NoAction { agent: self.name, why: error.to_string() }
    }
}

impl PolicyAgent {
    /// The actions of the policy with the reason in a sentence: one action Online, the plan in Global; none to stop.
    pub(super) async fn choose(
        &self,
        input: &DecisionInput<'_>,
    ) -> Result<(Vec<Action>, String), AgentError> {
        let mut policy = self.policy.clone().lock_owned().await;
        let chosen = if self.blocking {
            let policy_input = PolicyInput::of(input);
            let guard = CancelOnDrop::default();
            let stop = guard.flag();
            tokio::task::spawn_blocking(move || policy_input.choose(policy.as_mut(), &stop))
                .await
                .map_err(|error| AgentError::NoAction { agent: self.name, why: error.to_string() })?
        } else {
            PolicyInput::of(input).choose(policy.as_mut(), &AtomicBool::new(false))
        };
        chosen.map_err(|error| self.no_action(&error))
    }
}

#[async_trait]
impl Agent for PolicyAgent {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let (actions, reason) = self.choose(&input).await?;
        if actions.is_empty() {
            return Ok(Answer::GaveUp);
        }
        Ok(Answer::Replied(input.form.write(&reason, &actions, input.space).into()))
    }
}

/// The owned part of a [`DecisionInput`], for a blocking thread.
struct PolicyInput {
    step: u32,
    setting: Setting,
    observation: Observation,
    space: ActionSpace,
    steps_left: u32,
}

impl PolicyInput {
    fn of(input: &DecisionInput<'_>) -> Self {
        Self {
            step: input.step,
            setting: input.setting,
            observation: input.observation.clone(),
            space: input.space.clone(),
            // A format without a list takes one action in both settings.
            steps_left: if input.form.list { input.steps_left } else { 1 },
        }
    }

    fn choose(
        &self,
        policy: &mut dyn Policy,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        match self.setting {
            Setting::Global => policy.plan(&self.observation, &self.space, self.steps_left, stop),
            Setting::Online => {
                let next = policy.next_action(self.step, &self.observation, &self.space, stop)?;
                Ok(next.map_or_else(Default::default, |(action, reason)| (vec![action], reason)))
            }
        }
    }
}
