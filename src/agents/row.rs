//! The rows of the agent table: what the program knows about an agent without creating it.

use std::sync::Arc;

use super::{AgentContext, AgentSetupError, CreatedAgent, KeyLookup};
use mageyard_domain::{Agent, OptionError, Options, RequestEncoder};

/// An agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentRow {
    /// The name in flags and settings.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether it needs a person at the screen.
    pub needs_person: bool,
    /// Whether it repeats a recording, which has to be given.
    pub repeats_recording: bool,
    /// Its settings, if it has any.
    pub settings: Option<AgentSettings>,
    /// How it asks a server, if it sends requests.
    pub requests: Option<AgentRequests>,
    pub(super) create: fn(AgentContext) -> Result<CreatedAgent, AgentSetupError>,
}

impl AgentRow {
    /// An agent without settings that needs nothing.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        create: fn(AgentContext) -> Result<CreatedAgent, AgentSetupError>,
    ) -> Self {
        let needs_person = false;
        let repeats_recording = false;
        Self { name, summary, needs_person, repeats_recording, settings: None, requests: None, create }
    }

    /// Creates the agent.
    pub fn create(&self, context: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
        (self.create)(context)
    }

    /// The model that it asks with these options; `None` for an agent without a model.
    pub fn model<'a>(&self, options: &'a Options) -> Option<&'a str> {
        (self.requests?.model)(options)
    }

    /// Encodes requests as it does with these options; `None` if it sends none, or if the options are invalid, as
    /// those recorded by an older version may be.
    pub fn request_encoder(&self, options: &Options) -> Option<Arc<dyn RequestEncoder>> {
        (self.requests?.encoder)(options).ok()
    }
}

/// The settings of an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentSettings {
    /// The table of the settings file that holds them.
    pub table: &'static str,
    /// Checks them; a name that only an episode needs may be missing.
    pub validate: fn(&Options) -> Result<(), OptionError>,
    /// Replaces values that stand for a default by that default, so that a recording has them.
    pub complete: fn(&mut Options),
    /// Those that change how the agent works, but not what it is asked and answers.
    pub transport: &'static [&'static str],
    /// Those that say where its server is and how it is reached. Each machine may have its own, so an episode that goes on
    /// takes those of the machine.
    pub connection: &'static [&'static str],
}

/// How an agent asks a server.
#[derive(Clone, Copy, Debug)]
pub struct AgentRequests {
    pub(super) model: fn(&Options) -> Option<&str>,
    pub(super) encoder: fn(&Options) -> Result<Arc<dyn RequestEncoder>, OptionError>,
    /// The limits of a request with these options.
    pub limits: fn(&Options) -> Result<RequestLimits, OptionError>,
    /// How requests are authorized with these options and the present variables; the error says what is wrong.
    pub key: fn(&Options, &KeyLookup) -> Result<KeyReport, String>,
    /// How the server is reached with these options and the present variables: which proxy, if any; the error says what is
    /// wrong.
    pub route: fn(&Options, &KeyLookup) -> Result<String, String>,
    /// The options for a request with this seed; `None` if the protocol has no seed, or if the options set or omit it.
    pub seeded: fn(&Options, u32) -> Option<Options>,
    /// What makes agents for calls with these settings.
    pub calls: fn(AgentContext) -> Result<Arc<dyn CallAgents>, AgentSetupError>,
    /// The options for requests whose last turn is an answer that the server continues; `None` if the protocol has no way.
    pub continuing: fn(&Options) -> Option<Options>,
    /// The options for one request that tests the server.
    pub trial: fn(&Options, TrialForm) -> Options,
}

/// Makes agents that send one request several times at once. They share what they encode.
pub trait CallAgents: Send + Sync {
    /// An agent for one call, and whether its request has this seed: only where the protocol has one and no setting sets or
    /// omits it.
    fn agent(&self, seed: u32) -> (Box<dyn Agent>, bool);
}

/// How a request that tests the server differs from others.
#[derive(Clone, Copy, Debug)]
pub struct TrialForm {
    /// Whether the reply is streamed.
    pub stream: bool,
    /// Whether the content of each turn is a list.
    pub parts: bool,
    /// The format that the reply must have.
    pub schema: Option<fn() -> serde_json::Value>,
}

/// The limits of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// The maximum number of images that the server accepts, if there is a limit.
    pub images: Option<u32>,
    /// The longest edge of an image that the server accepts, in pixels, if there is a limit.
    pub side: Option<u32>,
    /// The longest edge to which images are scaled, in pixels; `None` for their original size.
    pub resolution: Option<u32>,
}

/// How requests are authorized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReport {
    /// Where the API key is from, in words.
    pub source: String,
    /// Whether a variable is named for the key and it is not set.
    pub is_missing: bool,
    /// Whether the server is on this machine.
    pub is_local: bool,
    /// The variables whose values are plain words, which are not removed from replies and errors.
    pub plain: Vec<String>,
}
