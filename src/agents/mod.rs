//! Whoever decides: the agents by name. They see what an [`Ask`](crate::domain::Ask) shows and nothing
//! else, and know neither the environments nor the engine.

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
pub use self::model::{KeyLookup, ModelConfig, validate_options};
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
use crate::domain::nearest_names;

/// One row of the list of agents.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The name, as flags and settings take it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether it needs a person at the screen.
    pub needs_person: bool,
}

impl AgentInfo {
    const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, needs_person: false }
    }
}

/// Every agent.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo::new("oracle", "plays a shortest solution, by the environment's solver"),
    AgentInfo::new("random", "draws uniformly from the allowed actions, by seed"),
    AgentInfo::new("idle", "does nothing: the floor of every score"),
    AgentInfo::new("faulty", "makes every known mistake of a reply, by seed, with good replies in between"),
    AgentInfo::new("model", "a multimodal model behind any server that speaks as OpenAI's does"),
    AgentInfo::new("replay", "speaks from a recording, and stops at the first request that differs"),
    AgentInfo { needs_person: true, ..AgentInfo::new("human", "you, at the screen") },
];

/// What a seat is filled with.
#[derive(Default)]
pub struct AgentContext {
    /// The seed of everything random.
    pub seed: u64,
    /// What keeps the streams of different levels apart: the level's text.
    pub salt: String,
    /// The environment's best policy, if it has one.
    pub oracle: Option<Box<dyn Policy>>,
    /// The way to a model.
    pub model: Option<ModelConfig>,
    /// The recording to speak from.
    pub recording: Option<Recording>,
}

/// A seat that is taken.
pub struct CreatedAgent {
    /// Who decides.
    pub agent: Box<dyn Agent>,
    /// Where a person's actions go, if a person decides.
    pub human_actions: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

/// Why a seat cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentSetupError {
    /// There is no agent of this name.
    #[error("there is no agent {name:?}; {hint}")]
    UnknownAgent {
        /// What was asked for.
        name: String,
        /// The nearest names, or all.
        hint: String,
    },
    /// The environment has no solver.
    #[error("this environment has no solver, so there is no oracle; take another agent")]
    NoOracle,
    /// There is no recording to speak from.
    #[error("the agent replay speaks from a recording, and none is named")]
    NoRecording,
    /// The recording cannot be spoken from.
    #[error("the recording {from} cannot be replayed: {why}")]
    InvalidRecording {
        /// The recording.
        from: String,
        /// What is wrong with it.
        why: String,
    },
    /// A setting of the agent is wrong.
    #[error("model.{}: {}", .0.name, .0.why)]
    InvalidOption(#[from] OptionError),
}

/// Puts the agent of this name into the seat.
pub fn create_agent(name: &str, seating: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    let agent: Box<dyn Agent> = match name {
        "oracle" => {
            Box::new(PolicyAgent::blocking("oracle", seating.oracle.ok_or(AgentSetupError::NoOracle)?))
        }
        "random" => Box::new(PolicyAgent::immediate(
            "random",
            Box::new(RandomPolicy::new(seating.seed, &seating.salt)),
        )),
        "faulty" => Box::new(FaultyAgent::new(seating.seed, &seating.salt)),
        "idle" => Box::new(IdleAgent),
        "model" => Box::new(ModelAgent::new(seating.model.unwrap_or_default())?),
        "replay" => Box::new(ReplayAgent::new(seating.recording.ok_or(AgentSetupError::NoRecording)?)?),
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

/// How the agent of this name with these settings packs requests; `None` for one that sends none.
pub fn request_encoder(name: &str, options: &Options) -> Option<Arc<dyn RequestEncoder>> {
    // What an older program wrote down may no longer be good enough to be sent by.
    (name == "model").then(|| model::request_encoder(options).ok()).flatten()
}

fn unknown_agent(name: &str) -> AgentSetupError {
    let names = || AGENTS.iter().map(|row| row.name);
    let hint = match nearest_names(name, names()).as_slice() {
        [] => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
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
        for row in AGENTS.iter().filter(|row| !["oracle", "model", "replay"].contains(&row.name)) {
            assert_eq!(
                create_agent(row.name, context()).unwrap().human_actions.is_some(),
                row.needs_person,
                "{}",
                row.name
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
