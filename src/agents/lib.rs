//! The agents: who decides. Each is a row of [`AGENTS`] with its constructor; no other code compares an agent with a name.
//!
//! An agent sees only its [`DecisionInput`](mageyard_domain::DecisionInput), and uses neither the environments nor the
//! engine. Retries, limits and records of an episode are not its work: it reports each try and the driver writes it down.
//!
//! Start with `row` (what is known of an agent without creating it), `random` (the smallest one) and `model` (the client of
//! model servers, with a folder for each protocol).

mod argument_mistakes;
mod context;
mod demo;
mod faulty;
mod human;
mod idle;
mod model;
mod policy_agent;
mod random;
mod random_arguments;
mod replay;
mod replies;
mod row;
mod seeded_choice;

use thiserror::Error;

pub use self::context::{AgentContext, CreatedAgent, KeyLookup, Recording};
pub use self::model::{
    EndpointLoad, ExchangeSink, MISSING_NAME, ModelPool, RepeatedFailure, SharedDocument, SharedDocuments,
    SharedPermits, SuggestedSetting,
};
pub use self::row::{
    AgentRequests, AgentRow, AgentSettings, CallAgents, KeyReport, KnownFault, RequestLimits, ServedModels,
    TrialForm,
};
use mageyard_domain::{NamedPolicy, OptionError, RequestReader, nearest_names};

/// All agents, one row each.
pub const AGENTS: &[AgentRow] = &[
    policy_agent::ORACLE,
    random::ROW,
    idle::ROW,
    faulty::ROW,
    model::ROW,
    demo::ROW,
    replay::ROW,
    replies::ROW,
    human::ROW,
];

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
    /// No replies were given.
    #[error("the agent replies needs a file of replies with one for this level: --from FILE")]
    NoReplies,
    /// The recording cannot be replayed.
    #[error("the recording {recording} cannot be replayed: {why}")]
    InvalidRecording {
        /// The path or name of the recording.
        recording: String,
        /// What is wrong with it.
        why: String,
    },
    /// A setting of the agent is invalid.
    #[error("{table}.{}: {}", .error.name, .error.why)]
    InvalidOption {
        /// The table of the settings file.
        table: &'static str,
        /// What is wrong.
        error: OptionError,
    },
}

/// The row with exactly this name, or that of an environment's policy with this name; an unknown name is an error that
/// names similar ones.
pub fn find_agent<'a>(
    agents: &'a [AgentRow],
    policies: &[NamedPolicy],
    name: &str,
) -> Result<&'a AgentRow, AgentSetupError> {
    if policies.iter().any(|policy| policy.name == name) {
        return Ok(&policy_agent::OF_ENVIRONMENT);
    }
    agents.iter().find(|row| row.name == name).ok_or_else(|| {
        let more = policies.iter().map(|policy| policy.name);
        let more = more.filter(|name| agents.iter().all(|row| row.name != *name));
        let names = || agents.iter().map(|row| row.name).chain(more.clone());
        let hint = match nearest_names(name, names()).as_slice() {
            [] => format!("the agents are {}", names().collect::<Vec<_>>().join(", ")),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        AgentSetupError::UnknownAgent { name: name.to_owned(), hint }
    })
}

/// Creates the agent of this name.
pub fn create_agent(name: &str, context: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    find_agent(AGENTS, &[], name)?.create(context)
}

/// The reader of recorded requests of all agents.
pub fn request_reader() -> &'static dyn RequestReader {
    &model::ModelReader
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> AgentContext {
        AgentContext { seed: 1, ..AgentContext::default() }
    }

    #[test]
    fn every_agent_can_be_created_and_only_human_has_a_channel() {
        for info in
            AGENTS.iter().filter(|info| !["oracle", "model", "replay", "replies"].contains(&info.name))
        {
            assert_eq!(
                create_agent(info.name, context()).unwrap().human_actions.is_some(),
                info.needs_person,
                "{}",
                info.name
            );
        }
        assert_eq!(create_agent("oracle", context()).err(), Some(AgentSetupError::NoOracle));
        assert_eq!(create_agent("replay", context()).err(), Some(AgentSetupError::NoRecording));
        assert_eq!(create_agent("replies", context()).err(), Some(AgentSetupError::NoReplies));
        let nameless = create_agent("model", context()).err().unwrap().to_string();
        assert!(nameless.starts_with("model.name: "), "{nameless}");
    }

    #[test]
    fn a_misspelt_agent_name_gets_a_suggestion() {
        let error = create_agent("orcale", context()).err().unwrap();
        assert_eq!(error.to_string(), "there is no agent \"orcale\"; did you mean oracle?");
    }
}
