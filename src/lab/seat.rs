//! Seats agents: creates the agent that a head names, with everything it needs.

use super::Lab;
use crate::agents::AgentContext;
use crate::agents::AgentSetupError;
use crate::agents::CreatedAgent;
use crate::agents::ModelConfig;
use crate::agents::Recording;
use crate::agents::create_agent;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::engine::Head;

impl Lab {
    /// Creates the agent of an episode.
    pub(super) fn seat(
        &self,
        spec: &dyn EnvironmentSpec,
        head: &Head,
        recording: Option<Recording>,
    ) -> Result<CreatedAgent, AgentSetupError> {
        let model = ModelConfig { options: head.seated.clone(), key_lookup: self.key_lookup.clone() };
        let (salt, oracle) = (head.level.identity().into_owned(), spec.oracle());
        let pool = self.models.clone();
        create_agent(
            &head.agent,
            AgentContext { seed: head.seed, salt, oracle, model: Some(model), pool, recording },
        )
    }
}

/// A problem with an agent, reported at the place of the setting that causes it.
pub fn agent_problem(error: &AgentSetupError, config: &Config) -> Problem {
    let setting = match error {
        AgentSetupError::InvalidOption(error) => format!("model.{}", error.name),
        AgentSetupError::InvalidRecording { .. } => "play.from".to_owned(),
        AgentSetupError::UnknownAgent { .. } | AgentSetupError::NoOracle | AgentSetupError::NoRecording => {
            "play.agent".to_owned()
        }
    };
    config.problem_with(&setting, error.to_string())
}
