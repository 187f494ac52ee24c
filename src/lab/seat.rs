//! Seats agents: creates the agent that a head names, with everything it needs.

use crate::agent_options;
use std::sync::Arc;

use super::Lab;
use mageyard_agents::{
    AgentContext, AgentRow, AgentSettings, AgentSetupError, CreatedAgent, Recording, find_agent,
};
use mageyard_config::{Config, Problem};
use mageyard_domain::{EnvironmentSpec, Options, RequestEncoder, SideRole, nearest_names};
use mageyard_engine::{Head, RecordedAgent};

/// Creates an agent for an episode.
pub(crate) fn seat_agent(
    lab: &Lab,
    spec: &dyn EnvironmentSpec,
    head: &Head,
    agent: &RecordedAgent,
    recording: Option<Recording>,
) -> Result<CreatedAgent, AgentSetupError> {
    seat_with(lab, spec, head, agent, salt(head, agent), recording)
}

/// Creates the agent that answers for a role, whose random choices are its own.
pub(crate) fn seat_for_role(
    lab: &Lab,
    spec: &dyn EnvironmentSpec,
    head: &Head,
    (role, agent): (SideRole, &RecordedAgent),
    recording: Option<Recording>,
) -> Result<CreatedAgent, AgentSetupError> {
    seat_with(lab, spec, head, agent, format!("{} {role}", salt(head, agent)), recording)
}

fn seat_with(
    lab: &Lab,
    spec: &dyn EnvironmentSpec,
    head: &Head,
    agent: &RecordedAgent,
    salt: String,
    recording: Option<Recording>,
) -> Result<CreatedAgent, AgentSetupError> {
    let name = &agent.name;
    let own = spec.capabilities().policies;
    let policies = own.named;
    find_agent(lab.agents, policies, name)?.create(AgentContext {
        seed: head.seed,
        salt,
        oracle: own.oracle,
        policy: policies.iter().find(|policy| policy.name == name),
        mistakes: own.mistakes,
        probes: spec.capabilities().perception.probes,
        narrowed: own.narrowed,
        options: agent.options.clone(),
        key_lookup: lab.key_lookup.clone(),
        pool: lab.models.clone(),
        recording,
        replies: agent.given.as_ref().map_or_else(|| Arc::new([]) as Arc<[_]>, |given| given.texts.clone()),
    })
}

/// The names of all agents, with the policies of all environments.
pub fn agent_names(lab: &Lab) -> Vec<&'static str> {
    let policies =
        lab.environments.iter().flat_map(|spec| spec.capabilities().policies.named).map(|policy| policy.name);
    lab.agents.iter().map(|row| row.name).chain(policies).collect()
}

/// The agent of this name with its configured settings, as a head records it.
pub(crate) fn recorded_agent(
    lab: &Lab,
    row: &AgentRow,
    name: &str,
    config: &Config,
) -> Result<RecordedAgent, Problem> {
    let options = agent_options(lab, row, config)?;
    Ok(agent_with(row, name, options, profile_name(config)))
}

/// The agent of this name with these settings, of which those of the model are from this profile.
pub(crate) fn agent_with(
    row: &AgentRow,
    name: &str,
    options: Options,
    profile: Option<String>,
) -> RecordedAgent {
    let model = row.model(&options).map(str::to_owned);
    let profile = profile.filter(|_| model.is_some());
    RecordedAgent { options, model, profile, ..RecordedAgent::named(name) }
}

/// The name of the profile that the settings name.
pub(crate) fn profile_name(config: &Config) -> Option<String> {
    config.profile().map(|profile| profile.name.clone())
}

/// An agent with changes to its settings, such as `temperature=0.7 top_p=1`.
pub(crate) fn changed_agent(
    row: &AgentRow,
    mut agent: RecordedAgent,
    changes: &str,
) -> Result<RecordedAgent, String> {
    let changes: Vec<&str> = changes.split_whitespace().collect();
    let Some(own) = row.settings.filter(|_| !changes.is_empty()) else {
        return if changes.is_empty() {
            Ok(agent)
        } else {
            Err(format!("the agent {} has no settings", row.name))
        };
    };
    for change in changes {
        let (name, value) = change.split_once('=').ok_or_else(|| format!("{change:?} is not NAME=VALUE"))?;
        let name = name.strip_prefix(own.table).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
        if own.connection.contains(&name) {
            return Err(format!(
                "{name} says where the server is; another server is another profile of a model"
            ));
        }
        let Some(setting) = agent.options.get_mut(name) else {
            let near = nearest_names(name, agent.options.keys().map(String::as_str)).join(" or ");
            let help = if near.is_empty() { String::new() } else { format!("; did you mean {near}?") };
            return Err(format!("the agent {} has no setting {name:?}{help}", row.name));
        };
        let is_text = setting.is_string();
        let parsed = serde_json::from_str(value).ok().filter(|_| !is_text);
        *setting = parsed.unwrap_or_else(|| value.into());
    }
    (own.validate)(&agent.options).map_err(|error| error.to_string())?;
    (own.complete)(&mut agent.options);
    agent.model = row.model(&agent.options).map(str::to_owned);
    Ok(agent)
}

/// The request encoder of an episode's agent; `None` if it sends no requests.
pub fn request_encoder(lab: &Lab, head: &Head) -> Option<Arc<dyn RequestEncoder>> {
    lab.agent(&head.agent.name)?.request_encoder(&head.agent.options)
}

/// The encoder of the side requests of a role; `None` if no agent answers for it.
pub fn side_request_encoder(lab: &Lab, head: &Head, role: SideRole) -> Option<Arc<dyn RequestEncoder>> {
    let agent = &head.roles.get(&role)?.agent;
    lab.agent(&agent.name)?.request_encoder(&agent.options)
}

/// Checks the settings of all agents.
pub fn check_agent_settings(lab: &Lab, config: &Config) -> Result<(), Problem> {
    let rows = lab.agents.iter().filter_map(|row| Some((row, row.settings?)));
    rows.into_iter().try_for_each(|(row, own): (&AgentRow, AgentSettings)| {
        let checked = (own.validate)(&agent_options(lab, row, config)?);
        checked.map_err(|error| agent_problem(&own.invalid(&error), config))
    })
}

/// What makes the random choices of an agent differ from those with the same seed.
fn salt(head: &Head, agent: &RecordedAgent) -> String {
    let level = head.level.identity();
    if agent.draw == 0 { level.into_owned() } else { format!("{level} {}", agent.draw) }
}

/// A problem with an agent, reported at the place of the setting that causes it.
pub fn agent_problem(error: &AgentSetupError, config: &Config) -> Problem {
    let setting = match error {
        AgentSetupError::InvalidOption { table, error } => format!("{table}.{}", error.name),
        AgentSetupError::InvalidRecording { .. } => "play.from".to_owned(),
        AgentSetupError::UnknownAgent { .. }
        | AgentSetupError::NoOracle
        | AgentSetupError::NoRecording
        | AgentSetupError::NoReplies => "play.agent".to_owned(),
    };
    config.problem_with(&setting, error.to_string())
}
