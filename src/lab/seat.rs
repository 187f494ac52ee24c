//! Seats agents: creates the agent that a head names, with everything it needs.

use std::sync::Arc;

use super::Lab;
use crate::agents::AgentContext;
use crate::agents::AgentSettings;
use crate::agents::AgentSetupError;
use crate::agents::CreatedAgent;
use crate::agents::Recording;
use crate::agents::find_agent;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::domain::RequestEncoder;
use crate::engine::Head;

impl Lab {
    /// Creates the agent of an episode.
    pub(super) fn seat(
        &self,
        spec: &dyn EnvironmentSpec,
        head: &Head,
        recording: Option<Recording>,
    ) -> Result<CreatedAgent, AgentSetupError> {
        let (name, policies) = (&head.agent.name, spec.policies());
        find_agent(self.agents, policies, name)?.create(AgentContext {
            seed: head.seed,
            salt: head.level.identity().into_owned(),
            oracle: spec.oracle(),
            policy: policies.iter().find(|policy| policy.name == name),
            mistakes: spec.mistakes(),
            options: head.agent.options.clone(),
            key_lookup: self.key_lookup.clone(),
            pool: self.models.clone(),
            recording,
        })
    }

    /// The request encoder of an episode's agent; `None` if it sends no requests.
    pub fn request_encoder(&self, head: &Head) -> Option<Arc<dyn RequestEncoder>> {
        self.agent(&head.agent.name)?.request_encoder(&head.agent.options)
    }

    /// Checks the settings of all agents.
    pub fn check_agent_settings(&self, config: &Config) -> Result<(), Problem> {
        let rows = self.agents.iter().filter_map(|row| Some((row, row.settings?)));
        rows.into_iter().try_for_each(|(row, AgentSettings { table, validate, .. })| {
            let checked = validate(&self.agent_options(row, config)?);
            checked.map_err(|error| agent_problem(&AgentSetupError::InvalidOption { table, error }, config))
        })
    }
}

/// A problem with an agent, reported at the place of the setting that causes it.
pub fn agent_problem(error: &AgentSetupError, config: &Config) -> Problem {
    let setting = match error {
        AgentSetupError::InvalidOption { table, error } => format!("{table}.{}", error.name),
        AgentSetupError::InvalidRecording { .. } => "play.from".to_owned(),
        AgentSetupError::UnknownAgent { .. } | AgentSetupError::NoOracle | AgentSetupError::NoRecording => {
            "play.agent".to_owned()
        }
    };
    config.problem_with(&setting, error.to_string())
}
