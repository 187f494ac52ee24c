//! Agents for requests that test a server.

use super::{Lab, agent_problem};
use crate::agent_options;
use mageyard_agents::{
    AgentContext, AgentRequests, AgentRow, AgentSettings, AgentSetupError, KeyReport, RequestLimits,
    TrialForm,
};
use mageyard_config::{Config, Problem};
use mageyard_domain::Agent;

/// The configured limits of a request.
pub fn request_limits(lab: &Lab, config: &Config) -> Result<RequestLimits, Problem> {
    let (row, AgentSettings { table, .. }, requests) = requesting_agent(lab)?;
    let limits = (requests.limits)(&agent_options(lab, row, config)?);
    limits.map_err(|error| agent_problem(&AgentSetupError::InvalidOption { table, error }, config))
}

/// How requests are authorized with the settings and the present variables.
pub fn key_report(lab: &Lab, config: &Config) -> Result<KeyReport, Problem> {
    let (_, AgentSettings { table, .. }, requests) = requesting_agent(lab)?;
    (requests.key)(&config.settings().options(table), &lab.key_lookup).map_err(Problem::new)
}

/// How the model server is reached: the proxy, or why there is none.
pub fn model_route(lab: &Lab, config: &Config) -> Result<String, Problem> {
    let (_, AgentSettings { table, .. }, requests) = requesting_agent(lab)?;
    (requests.route)(&config.settings().options(table), &lab.key_lookup).map_err(Problem::new)
}

/// An agent with the configured settings that tries each request once, in this form.
pub fn trial_agent(lab: &Lab, config: &Config, form: TrialForm) -> Result<Box<dyn Agent>, Problem> {
    let (row, _, requests) = requesting_agent(lab)?;
    let options = (requests.trial)(&agent_options(lab, row, config)?, form);
    let key_lookup = lab.key_lookup.clone();
    let pool = lab.models.clone();
    let created = row.create(AgentContext { options, key_lookup, pool, ..AgentContext::default() });
    created.map(|created| created.agent).map_err(|error| agent_problem(&error, config))
}

/// The first agent that sends requests, with its settings.
fn requesting_agent(lab: &Lab) -> Result<(&'static AgentRow, AgentSettings, AgentRequests), Problem> {
    let mut rows = lab.agents.iter();
    let found = rows.find_map(|row| Some((row, row.settings?, row.requests?)));
    found.ok_or_else(|| Problem::new("no agent sends requests"))
}
