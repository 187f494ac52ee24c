//! The rows of the agent table: what the program knows about an agent without creating it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::{AgentContext, AgentSetupError, CreatedAgent, KeyLookup, ModelPool};
use mageyard_domain::{Agent, AgentError, Observation, OptionError, Options, Probes, RequestEncoder};

/// Says what is wrong with the decisions of a simulated model in a state, by its options.
pub type KnownFault = fn(&Options, &Observation, &dyn Probes) -> Option<&'static str>;

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
    /// Whether it gives replies from a file, which has to be given.
    pub takes_replies: bool,
    /// Whether it stands in for a model and is none, so that its results are compared with no published ones.
    pub is_simulated: bool,
    /// Its settings, if it has any.
    pub settings: Option<AgentSettings>,
    /// How it asks a server, if it sends requests.
    pub requests: Option<AgentRequests>,
    /// Of a simulated model: what is wrong with its decisions in a state by its settings, `seen`, `planned` or `written`; `None` if
    /// nothing is.
    pub known_fault: Option<KnownFault>,
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
        let takes_replies = false;
        let is_simulated = false;
        let settings = None;
        let requests = None;
        let known_fault = None;
        Self {
            name,
            summary,
            needs_person,
            repeats_recording,
            takes_replies,
            is_simulated,
            settings,
            requests,
            known_fault,
            create,
        }
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
    /// A further table. All of its settings are recorded as one, which has the name of the table.
    pub part: Option<&'static str>,
    /// The settings of this table that change how the agent works, but not what it is asked and answers.
    pub part_transport: &'static [&'static str],
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

impl AgentSettings {
    /// The settings of the agent as a head records them. `of_table` has those of each table of the settings file.
    pub fn read(&self, of_table: impl Fn(&str) -> Options) -> Options {
        let mut options = of_table(self.table);
        if let Some(part) = self.part {
            let settings = of_table(part).into_iter().collect::<serde_json::Map<_, _>>();
            options.insert(part.to_owned(), settings.into());
        }
        (self.complete)(&mut options);
        options
    }

    /// The name under which a head records this setting of the settings file, without entries below it; `None` for a setting
    /// that is not one of the agent.
    pub fn recorded_name<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (table, key) = name.split_once('.')?;
        if self.part == Some(table) {
            return Some(table);
        }
        (table == self.table).then(|| key.split('.').next().unwrap_or(key))
    }

    /// Replaces a recorded setting, by its name in the settings file, with that of `set`.
    pub fn replace(&self, options: &mut Options, name: &str, set: &Options) {
        let Some(recorded) = self.recorded_name(name) else { return };
        let entry = name.split_once('.').filter(|_| self.part == Some(recorded)).map(|(_, entry)| entry);
        let own = options.get_mut(recorded).and_then(serde_json::Value::as_object_mut);
        match (entry.zip(own), set.get(recorded)) {
            (Some((entry, own)), Some(table)) => {
                own.extend(table.get(entry).map(|value| (entry.to_owned(), value.clone())));
            }
            (_, Some(value)) => {
                options.insert(recorded.to_owned(), value.clone());
            }
            (_, None) => {
                options.remove(recorded);
            }
        }
    }

    /// Whether this setting is in one of its tables and changes nothing that the agent is asked and answers.
    pub fn is_transport(&self, table: &str, key: &str) -> bool {
        if self.part == Some(table) {
            return self.part_transport.contains(&key);
        }
        table == self.table && (self.transport.contains(&key) || self.connection.contains(&key))
    }

    /// Removes recorded settings that change nothing that the agent is asked and answers; those of the connection stay.
    pub fn remove_transport(&self, options: &mut Options) {
        for name in self.transport {
            options.remove(*name);
        }
        let part = self.part.and_then(|part| options.get_mut(part)?.as_object_mut());
        if let Some(part) = part {
            part.retain(|name, _| !self.part_transport.contains(&name.as_str()));
        }
    }

    /// The error of a setting, with its table.
    pub fn invalid(&self, error: &OptionError) -> AgentSetupError {
        let of_part =
            self.part.and_then(|part| Some((part, error.name.strip_prefix(part)?.strip_prefix('.')?)));
        let (table, name) = of_part.unwrap_or((self.table, &error.name));
        AgentSetupError::InvalidOption {
            table,
            error: OptionError { name: name.to_owned(), ..error.clone() },
        }
    }
}

/// How an agent asks a server.
#[derive(Clone, Copy, Debug)]
pub struct AgentRequests {
    /// The models that it asks itself, for which no server is needed.
    pub own_models: &'static [&'static str],
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
    /// Asks the server of these options for the names of its models, each once and safe to show, in its order. It waits no
    /// longer than this.
    pub served: fn(Options, KeyLookup, ModelPool, Duration) -> ServedModels,
}

/// The names of the models of a server, or why it does not say them.
pub type ServedModels = Pin<Box<dyn Future<Output = Result<Vec<String>, AgentError>> + Send>>;

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
