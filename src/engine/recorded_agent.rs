//! The agent of an episode, as its head records it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use mageyard_domain::Options;

/// Who acts in an episode, and with which settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredAgent")]
pub struct RecordedAgent {
    /// The agent's name.
    #[serde(rename = "agent")]
    pub name: String,
    /// Its own settings, which only the agent itself reads.
    #[serde(rename = "seated", skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// The model that it asks, by its name at the server; `None` for an agent without a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The profile of the settings that its settings were taken from, if one was named. It is not needed to repeat the episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The journal that it repeats; it composes requests then, and sends none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<PathBuf>,
    /// The replies that it gives, if they were collected elsewhere.
    #[serde(rename = "replies", skip_serializing_if = "Option::is_none")]
    pub given: Option<GivenReplies>,
    /// A number that its random choices depend on besides the seed of the episode; 0 for none.
    #[serde(skip_serializing_if = "is_zero")]
    pub draw: u32,
}

/// Replies that were collected elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenReplies {
    /// The path of their file, as it was given.
    pub file: String,
    /// The reply of each step.
    pub texts: Arc<[Arc<str>]>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The name of the agent that is a person at the screen.
const PERSON: &str = "human";

impl RecordedAgent {
    /// Whether it is a person at the screen.
    pub fn is_person(&self) -> bool {
        self.name == PERSON
    }

    /// An agent without settings.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The agent with other settings of its connection; one that asks no model has none.
    #[must_use]
    pub fn connected(&self, connection: &Options) -> Self {
        let mut connected = self.clone();
        if self.model.is_some() {
            connected.options.extend(connection.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        connected
    }

    /// The address of its server with these settings of the connection; `None` if it asks no server.
    pub(crate) fn server_with<'a>(&'a self, connection: &'a Options) -> Option<&'a str> {
        self.model.as_ref()?;
        connection.get(SERVER).or_else(|| self.options.get(SERVER))?.as_str()
    }

    /// What people call it: its model, or else its own name.
    pub fn display_name(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.name)
    }
}

/// The setting with the address of the server.
const SERVER: &str = "base_url";

/// The stored form. Journals of format 1 have the model and the recording only among the settings.
#[derive(Deserialize)]
struct StoredAgent {
    agent: String,
    #[serde(default)]
    seated: Options,
    model: Option<String>,
    profile: Option<String>,
    recording: Option<PathBuf>,
    replies: Option<GivenReplies>,
    #[serde(default)]
    draw: u32,
}

impl From<StoredAgent> for RecordedAgent {
    fn from(stored: StoredAgent) -> Self {
        let StoredAgent { agent: name, seated: mut options, model, profile, recording, replies: given, draw } =
            stored;
        let text = |options: &Options, key| options.get(key).and_then(Value::as_str).map(str::to_owned);
        let recording = recording.or_else(|| text(&options, OLD_RECORDING).map(PathBuf::from));
        options.remove(OLD_RECORDING);
        let model = model.or_else(|| text(&options, OLD_MODEL));
        Self { name, options, model, profile, recording, given, draw }
    }
}

/// The settings of format 1 that name the model and the recording.
const OLD_MODEL: &str = "name";
const OLD_RECORDING: &str = "from";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_model_and_the_recording_of_old_journals_are_found_among_the_settings() {
        let read = |value: Value| serde_json::from_value::<RecordedAgent>(value).unwrap();
        let old = read(json!({"agent": "model", "seated": {"name": "m", "stream": true}}));
        assert_eq!((old.model.as_deref(), old.display_name(), old.options.len()), (Some("m"), "m", 2));
        let new = read(json!({"agent": "model", "seated": {"name": "m", "stream": true}, "model": "m"}));
        assert_eq!(new, old);
        assert_eq!(read(serde_json::to_value(&old).unwrap()), old);
        let replay = read(json!({"agent": "replay", "seated": {"from": "/runs/a/0001/journal.jsonl"}}));
        assert_eq!(replay.recording, Some("/runs/a/0001/journal.jsonl".into()));
        assert_eq!(
            (replay.model.as_deref(), replay.display_name(), replay.options.len()),
            (None, "replay", 0)
        );
        let profile = json!({"agent": "model", "model": "m", "profile": "local"});
        assert_eq!(serde_json::to_value(read(profile.clone())).unwrap(), profile);
        let given = json!({"agent": "replies", "replies": {"file": "a.jsonl", "texts": ["Up", "Down"]}});
        assert_eq!(serde_json::to_value(read(given.clone())).unwrap(), given);
        let idle = read(json!({"agent": "idle"}));
        assert_eq!(serde_json::to_value(&idle).unwrap(), json!({"agent": "idle"}));
        assert_eq!(idle, RecordedAgent::named("idle"));
    }
}
