//! What an agent is created from, and what creating it gives.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::ModelPool;
use mageyard_domain::{
    Action, Agent, Mistakes, NamedPolicy, NarrowedSpace, Options, Policy, Probes, RecordedReply,
};

/// Returns a secret, such as an API key, for the name of an environment variable.
pub type KeyLookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The replies of a recorded episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The path or name, for messages.
    pub source: String,
    /// The settings of the recorded model; empty if there was none.
    pub model: Options,
    /// The replies in order.
    pub replies: Vec<RecordedReply>,
}

/// What is needed to create an agent.
pub struct AgentContext {
    /// The seed of random choices.
    pub seed: u64,
    /// The text of the level, which makes random choices differ between levels.
    pub salt: String,
    /// Makes the optimal policy of the environment, if it has one.
    pub oracle: Option<fn() -> Box<dyn Policy>>,
    /// The policy of the environment with the name of the agent, if it has one.
    pub policy: Option<&'static NamedPolicy>,
    /// The mistakes that the environment knows, if it has any.
    pub mistakes: Option<&'static dyn Mistakes>,
    /// What the environment can ask about its states, if it can.
    pub probes: Option<&'static dyn Probes>,
    /// What a random choice is made from in a state, if not from the whole action space.
    pub narrowed: Option<NarrowedSpace>,
    /// The settings of the agent.
    pub options: Options,
    /// Returns secrets by name; called for every request.
    pub key_lookup: KeyLookup,
    /// What all model agents of the process share.
    pub pool: ModelPool,
    /// The recording to replay.
    pub recording: Option<Recording>,
    /// The replies to give, one for each step.
    pub replies: Arc<[Arc<str>]>,
}

impl Default for AgentContext {
    fn default() -> Self {
        Self {
            seed: 0,
            salt: String::new(),
            oracle: None,
            policy: None,
            mistakes: None,
            probes: None,
            narrowed: None,
            options: Options::new(),
            key_lookup: Arc::new(|_| None),
            pool: ModelPool::default(),
            recording: None,
            replies: Arc::new([]),
        }
    }
}

/// A new agent.
pub struct CreatedAgent {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// Takes the actions of a person, for an agent that needs one.
    pub human_actions: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

impl CreatedAgent {
    /// An agent that acts by itself.
    pub(super) fn alone(agent: impl Agent + 'static) -> Self {
        Self { agent: Box::new(agent), human_actions: None }
    }
}
