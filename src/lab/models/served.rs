//! The models that a server lists.

use std::time::Duration;

use crate::{Lab, agent_options};
use mageyard_agents::MISSING_NAME;
use mageyard_config::{Config, Origin, Problem};
use mageyard_domain::AgentError;

/// How long a message waits for the models of a server.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number of names in a message.
const SHOWN: usize = 20;

/// The names of the models that the server of these settings lists, each once and safe to show. `wait` is the longest time for
/// the answer.
///
/// # Errors
///
/// The settings are wrong, the server cannot be reached in time, or it has no such list.
pub async fn served_models(lab: &Lab, config: &Config, wait: Duration) -> Result<Vec<String>, Problem> {
    let (row, _) = lab.asking_agent()?;
    let options = agent_options(lab, row, config)?;
    let Some(requests) = row.requests else { return Ok(Vec::new()) };
    let asked = (requests.served)(options, lab.key_lookup.clone(), lab.models.clone(), wait).await;
    asked.map_err(|error| Problem::new(list_error(&error)))
}

/// Why a server does not list its models.
pub(super) fn list_error(error: &AgentError) -> String {
    match error {
        AgentError::Timeout { seconds, .. } => format!("the server sent no list of models for {seconds} s"),
        AgentError::MalformedResponse(why) => format!("the server's answer is not a list of models: {why}"),
        error => error.to_string(),
    }
}

/// The problem; if it is that no model is named, with the models of the configured server in its hint.
pub async fn with_served_models(lab: &Lab, config: &Config, problem: Problem) -> Problem {
    if !problem.message.ends_with(MISSING_NAME) {
        return problem;
    }
    let profiles: Vec<&str> = config.profiles().iter().map(|profile| profile.name.as_str()).collect();
    let profiles = match profiles.as_slice() {
        [] => String::new(),
        names => format!("profiles: {}; ", names.join(", ")),
    };
    let url = server_to_ask(lab, config);
    let help = match &url {
        Some(url) => match served_models(lab, config, PATIENCE).await {
            Ok(names) if !names.is_empty() => format!("{url} has {}", listed(&names)),
            Ok(_) => format!("{url} lists no models"),
            Err(why) => format!("{url} lists no models ({})", why.message),
        },
        None => "set model.base_url (--base-url) to your server, or its key; \
            `mageyard models find` looks for servers on this machine, and --agent demo needs none"
            .to_owned(),
    };
    problem.with_help(format!("{profiles}{help}"))
}

fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more (`mageyard models find URL` lists all)"),
    }
}

/// The address of the configured server; `None` if neither it nor a key for the server of the protocol's maker is given, so
/// that nothing is asked that is not meant.
fn server_to_ask(lab: &Lab, config: &Config) -> Option<String> {
    let (row, settings) = lab.asking_agent().ok()?;
    let options = agent_options(lab, row, config).ok()?;
    let text =
        |name: &str| options.get(name).and_then(|value| value.as_str()).filter(|text| !text.is_empty());
    let url_setting = format!("{}.base_url", settings.table);
    let rows = config.resolved_settings().iter();
    let mut given = rows.filter(|row| row.name() == url_setting && row.origin != Origin::Default);
    let has_key =
        text("key_variable").and_then(|name| (lab.key_lookup)(name)).is_some_and(|key| !key.is_empty());
    (given.next().is_some() || has_key)
        .then(|| super::facts::without_user(text("base_url").unwrap_or_default()))
}
