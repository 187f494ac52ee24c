//! The agents by name. An agent sees only its [`DecisionInput`](crate::domain::DecisionInput), and depends on
//! neither the environments nor the engine.

mod faulty;
mod human;
mod idle;
mod model;
mod policy_agent;
mod random;
mod replay;
mod seeded_choice;

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::mpsc;

use self::faulty::FaultyAgent;
use self::human::HumanAgent;
use self::idle::IdleAgent;
use self::model::ModelAgent;
pub use self::model::{KeyLookup, ModelConfig, ModelPool, RepeatedFailure, validate_options};
use self::policy_agent::PolicyAgent;
use self::random::RandomPolicy;
pub use self::replay::Recording;
use self::replay::ReplayAgent;
use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Policy;
use crate::domain::RequestEncoder;
use crate::domain::RequestReader;
use crate::domain::nearest_names;

/// An entry of [`AGENTS`].
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The name in flags and settings.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether it needs a person at the screen.
    pub needs_person: bool,
}

impl AgentInfo {
    const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, needs_person: false }
    }
}

/// All agents.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo::new("oracle", "plays a shortest solution, found by the environment's solver"),
    AgentInfo::new("random", "chooses uniformly from the allowed actions, by seed"),
    AgentInfo::new("idle", "does nothing: the lowest score"),
    AgentInfo::new(
        "faulty",
        "makes every known mistake in its replies, by seed, with valid replies in between",
    ),
    AgentInfo::new("model", "a multimodal model behind an OpenAI-compatible server"),
    AgentInfo::new("replay", "repeats a recording, and stops at the first request that differs"),
    AgentInfo { needs_person: true, ..AgentInfo::new("human", "you, at the screen") },
];

/// What is needed to create an agent.
#[derive(Default)]
pub struct AgentContext {
    /// The seed of random choices.
    pub seed: u64,
    /// The text of the level, which makes random choices differ between levels.
    pub salt: String,
    /// The optimal policy of the environment, if it has one.
    pub oracle: Option<Box<dyn Policy>>,
    /// The configuration of the model.
    pub model: Option<ModelConfig>,
    /// What all model agents of the process share.
    pub pool: ModelPool,
    /// The recording to replay.
    pub recording: Option<Recording>,
}

/// A new agent.
pub struct CreatedAgent {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// Takes the actions of a person, for the agent `human`.
    pub human_actions: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

/// Why an agent cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentSetupError {
    /// No agent has this name.
    #[error("there is no agent {name:?}; {hint}")]
    UnknownAgent {
        /// The given name.
        name: String,
        /// A suggestion, or all names.
        hint: String,
    },
    /// The environment has no solver.
    #[error("this environment has no solver, so the agent oracle is not available; choose another agent")]
    NoOracle,
    /// No recording was given.
    #[error("the agent replay needs a recording: --from RUN")]
    NoRecording,
    /// The recording cannot be replayed.
    #[error("the recording {recording} cannot be replayed: {why}")]
    InvalidRecording {
        /// The path or name of the recording.
        recording: String,
        /// What is wrong with it.
        why: String,
    },
    /// A setting of the agent is invalid.
    #[error("model.{}: {}", .0.name, .0.why)]
    InvalidOption(#[from] OptionError),
}

/// Creates the agent of this name.
pub fn create_agent(name: &str, context: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    let agent: Box<dyn Agent> = match name {
        "oracle" => {
            Box::new(PolicyAgent::blocking("oracle", context.oracle.ok_or(AgentSetupError::NoOracle)?))
        }
        "random" => Box::new(PolicyAgent::immediate(
            "random",
            Box::new(RandomPolicy::new(context.seed, &context.salt)),
        )),
        "faulty" => Box::new(FaultyAgent::new(context.seed, &context.salt)),
        "idle" => Box::new(IdleAgent),
        "model" => Box::new(ModelAgent::new(context.model.unwrap_or_default(), context.pool)?),
        "replay" => {
            let recording = context.recording.ok_or(AgentSetupError::NoRecording)?;
            Box::new(ReplayAgent::new(recording, context.pool)?)
        }
        "human" => {
            let (person, actions) = mpsc::unbounded_channel();
            return Ok(CreatedAgent {
                agent: Box::new(HumanAgent::new(actions)),
                human_actions: Some(person),
            });
        }
        name => return Err(unknown_agent(name)),
    };
    Ok(CreatedAgent { agent, human_actions: None })
}

/// The request encoder of this agent with these settings; `None` for an agent that sends no requests.
pub fn request_encoder(name: &str, options: &Options) -> Option<Arc<dyn RequestEncoder>> {
    // Settings recorded by an older version may be invalid now.
    (name == "model").then(|| model::request_encoder(options).ok()).flatten()
}

/// The reader of recorded requests. All agents that send requests use the same format.
pub fn request_reader() -> &'static dyn RequestReader {
    &model::ChatReader
}

fn unknown_agent(name: &str) -> AgentSetupError {
    let names = || AGENTS.iter().map(|info| info.name);
    let hint = match nearest_names(name, names()).as_slice() {
        [] => format!("the agents are {}", names().collect::<Vec<_>>().join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    AgentSetupError::UnknownAgent { name: name.to_owned(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> AgentContext {
        AgentContext { seed: 1, ..AgentContext::default() }
    }

    #[test]
    fn every_agent_can_be_created_and_only_human_has_a_channel() {
        for info in AGENTS.iter().filter(|info| !["oracle", "model", "replay"].contains(&info.name)) {
            assert_eq!(
                create_agent(info.name, context()).unwrap().human_actions.is_some(),
                info.needs_person,
                "{}",
                info.name
            );
        }
        assert_eq!(create_agent("oracle", context()).err(), Some(AgentSetupError::NoOracle));
        assert_eq!(create_agent("replay", context()).err(), Some(AgentSetupError::NoRecording));
        let nameless = create_agent("model", context()).err().unwrap().to_string();
        assert!(nameless.starts_with("model.name: "), "{nameless}");
    }

    #[test]
    fn a_misspelt_agent_name_gets_a_suggestion() {
        let error = create_agent("orcale", context()).err().unwrap();
        assert_eq!(error.to_string(), "there is no agent \"orcale\"; did you mean oracle?");
    }
}
