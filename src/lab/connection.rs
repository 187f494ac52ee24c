//! Where the server of a recorded agent is now. The connection belongs to the machine and to the moment, not to the
//! episode: an episode that goes on, or that another machine has planned, is played with the connection that is set here.

use crate::models::with_model;
use crate::seat::profile_name;
use crate::{Lab, agent_options};

use mageyard_agents::AgentSettings;
use mageyard_config::{Config, Origin, Problem, ResolvedSetting};
use mageyard_domain::Options;
use mageyard_engine::RecordedAgent;
use serde_json::Value;

/// What is written for a server whose address is unknown.
const UNKNOWN: &str = "unknown";

/// The settings of the connection that are given here and differ from those of this agent; empty if none do.
///
/// A flag always counts. A variable or a file counts if it is meant for this model: if the settings name the same model
/// or none, and the same protocol. For an agent with a profile, the settings are those with this profile, if there is one of
/// that name; without it only flags count, because the other settings are those of another server.
pub(crate) fn changed_connection(
    lab: &Lab,
    agent: &RecordedAgent,
    config: &Config,
) -> Result<Options, Problem> {
    let row = lab.agent(&agent.name).filter(|row| row.requests.is_some());
    let Some((row, own)) = row.and_then(|row| Some((row, row.settings?))) else {
        return Ok(Options::new());
    };
    let config = &with_profile_of(agent, config)?;
    let given = given_here(agent, &own, config);
    if given.is_empty() {
        return Ok(Options::new());
    }
    let mut here = agent_options(lab, row, config)?;
    here.retain(|name, value| given.contains(&name.as_str()) && agent.options.get(name) != Some(value));
    Ok(here)
}

/// The settings with the profile of the agent, if there still is one of that name.
fn with_profile_of(agent: &RecordedAgent, config: &Config) -> Result<Config, Problem> {
    let profile = agent.profile.as_ref();
    let profile = profile.filter(|name| config.profiles().iter().any(|known| known.name == **name));
    profile.map_or_else(|| Ok(config.clone()), |name| with_model(config, name))
}

/// The names of the settings of the connection that are given here for this agent.
fn given_here<'a>(agent: &RecordedAgent, own: &AgentSettings, config: &'a Config) -> Vec<&'a str> {
    let settings = config.settings().options(own.table);
    let text = |options: &Options, name: &str| -> Option<String> {
        options.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    let named = text(&settings, "name").filter(|name| !name.is_empty());
    let has_profile = agent.profile.is_none() || agent.profile == profile_name(config);
    let is_meant = has_profile
        && named.is_none_or(|name| agent.model == Some(name))
        && text(&settings, "protocol") == text(&agent.options, "protocol");
    let counts = |row: &&ResolvedSetting| match row.origin {
        Origin::Flag(_) => true,
        Origin::Variable(_) | Origin::File(_) => is_meant,
        Origin::Default | Origin::Environment(_) => false,
    };
    let rows = config.resolved_settings().iter();
    let rows = rows.filter(|row| row.table == own.table && own.connection.contains(&row.key.as_str()));
    rows.filter(counts).map(|row| row.key.as_str()).collect()
}

/// What changes for an agent with these settings of the connection, in a sentence for people.
pub(crate) fn connection_note(agent: &RecordedAgent, changed: &Options) -> String {
    let shown = |value: Option<&Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => UNKNOWN.to_owned(),
    };
    let change = |(name, value): (&String, &Value)| {
        let before = shown(agent.options.get(name));
        format!("{name} {} in place of {before}", shown(Some(value)))
    };
    let words: Vec<String> = changed.iter().map(change).collect();
    format!("requests now use {}", words.join(", "))
}
