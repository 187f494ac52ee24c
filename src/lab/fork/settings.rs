//! The settings of a branch: those of its parent at the step where it leaves it, with what is replaced.

use crate::agent_options;
use crate::seat::{agent_with, profile_name};
use std::collections::BTreeSet;

use serde_json::Value;

use super::super::new_head::budget;
use super::super::preset::PRESET_KEY;
use super::super::replaced_settings::replace_settings;
use super::super::{Lab, unix_time};
use mageyard_agents::AgentSettings;
use mageyard_config::{Config, Problem};
use mageyard_domain::{EpisodePolicy, Options};
use mageyard_engine::{Change, Episode, Head, Need, RecordedAgent, Seat};

/// The settings that a branch can replace, besides those in the table of its agent.
pub const FORK_SETTINGS: [&str; 17] = [
    "play.agent",
    "play.prompt",
    "memory.am",
    "memory.om",
    "play.reader",
    "play.max_steps",
    "play.max_time",
    "play.time_checked",
    "play.max_tokens",
    "play.cost_limit",
    "play.unknown_usage",
    "play.attempts",
    "play.on_unreadable",
    "play.on_repeating",
    "play.confirm",
    "play.on_cut",
    "play.on_refusal",
];

/// The settings whose change is a change of the budget.
const BUDGET: [&str; 3] = ["play.max_tokens", "play.cost_limit", "play.unknown_usage"];

/// The head of a branch of this episode, which was restored to the step: with the settings of this step, and those of
/// `config` that have one of the names in `given`. Also the changes of seat that go on in it.
pub fn branch_head(
    lab: &Lab,
    episode: &Episode,
    given: &[String],
    config: &Config,
) -> Result<(Head, Vec<Seat>), Problem> {
    let is_given = |name: &str| given.iter().any(|given| given == name);
    let mut head = at_step(episode);
    refuse_other_settings(lab, &head.reference, given)?;
    replace_settings(&mut head, &is_given, config)?;
    let (agent, is_new) = branch_agent(lab, &head.agent, &episode.head().agent, given, config)?;
    // The changes of seat that are not over belong to the branch too, unless it has an agent of its own.
    let seats = if is_new { Vec::new() } else { lasting_seats(episode) };
    head.agent = if is_new { agent } else { episode.head().agent.clone() };
    if BUDGET.into_iter().any(is_given) {
        head.budget = budget(&head.agent, config)?;
    }
    Ok((Head { started: unix_time().as_secs(), ..head }, seats))
}

/// The agent of the branch: another one with its configured settings, or the one that is seated, or that of the head,
/// with some of its settings replaced. Also whether it was given.
fn branch_agent(
    lab: &Lab,
    seated: &RecordedAgent,
    of_head: &RecordedAgent,
    given: &[String],
    config: &Config,
) -> Result<(RecordedAgent, bool), Problem> {
    let is_given = given.iter().any(|given| given == "play.agent");
    let name = if is_given { &config.settings().play.agent } else { &seated.name };
    let recorded = [seated, of_head].into_iter().find(|recorded| recorded.name == *name);
    let settings = agent_settings(lab, name);
    let is_own = |given: &&String| settings.is_some_and(|own| own.recorded_name(given).is_some());
    let given = config.with_profile_settings(given);
    let own: Vec<&String> = given.iter().filter(is_own).collect();
    if let Some(recorded) = recorded.filter(|_| own.is_empty()) {
        return Ok((recorded.clone(), is_given));
    }
    let Some(row) = lab.agent(name) else { return Ok((RecordedAgent::named(name), true)) };
    let set = agent_options(lab, row, config)?;
    let mut options = recorded.map_or_else(|| set.clone(), |recorded| recorded.options.clone());
    for (settings, name) in own.iter().copied().filter_map(|name| Some((settings?, name))) {
        settings.replace(&mut options, name, &set);
        if settings.recorded_name(name) == Some("name") {
            // The preset belongs to the model.
            settings.replace(&mut options, &format!("{}.{PRESET_KEY}", settings.table), &set);
        }
    }
    let names_model =
        given.iter().any(|name| settings.is_some_and(|own| own.recorded_name(name) == Some("name")));
    let profile = match recorded {
        Some(recorded) if !names_model => recorded.profile.clone(),
        _ => profile_name(config),
    };
    Ok((agent_with(row, name, options, profile), true))
}

/// An agent's own settings, if it has any.
fn agent_settings(lab: &Lab, name: &str) -> Option<AgentSettings> {
    lab.agent(name)?.settings
}

/// Refuses a setting that a branch cannot have of its own.
pub(crate) fn refuse_other_settings(lab: &Lab, parent: &str, given: &[String]) -> Result<(), Problem> {
    let own: Vec<AgentSettings> = lab.agents().iter().filter_map(|row| row.settings).collect();
    let known = |name: &String| {
        FORK_SETTINGS.contains(&name.as_str()) || own.iter().any(|own| own.recorded_name(name).is_some())
    };
    let Some(other) = given.iter().find(|name| !known(name)) else { return Ok(()) };
    let what = format!("a branch keeps the setting {other} of its parent, {parent}");
    let names = FORK_SETTINGS.join(", ");
    Err(Problem::new(what).with_help(format!("it can change {names}, and the settings of its agent")))
}

/// The settings at the current step of an episode.
pub(super) fn at_step(episode: &Episode) -> Head {
    Head {
        window: episode.window(),
        prompt: episode.prompt().to_owned(),
        agent: episode.agent().clone(),
        parent: None,
        ..episode.head().as_ref().clone()
    }
}

/// The changes of seat that are not over, as they begin at this step. After a Global plan they change nothing.
fn lasting_seats(episode: &Episode) -> Vec<Seat> {
    let is_asked = episode.starts_decision() || matches!(episode.need(), Need::Decide { .. });
    let Some(step) = episode.steps().last().map(|step| step.number).filter(|_| is_asked) else {
        return Vec::new();
    };
    episode.lasting_seats().map(|seat| Seat { from: step, ..seat.as_ref().clone() }).collect()
}

/// What differs between the settings of two heads of one episode.
pub(super) fn changes(from: &Head, to: &Head) -> Vec<Change> {
    // What the time limit counts follows from its change.
    let conduct = EpisodePolicy { time_counted: from.conduct.time_counted, ..to.conduct };
    let rows = [
        ("agent", from.agent.name.clone(), to.agent.name.clone()),
        ("model", model_name(from), model_name(to)),
        ("prompt", from.prompt.clone(), to.prompt.clone()),
        ("am", from.window.am().to_string(), to.window.am().to_string()),
        ("om", from.window.om().to_string(), to.window.om().to_string()),
        ("reader", from.rules.to_string(), to.rules.to_string()),
        ("max_steps", from.max_steps.to_string(), to.max_steps.to_string()),
        ("max_time", json_text(&from.max_time), json_text(&to.max_time)),
        ("budget", json_text(&from.budget), json_text(&to.budget)),
        ("policy", json_text(&from.conduct), json_text(&conduct)),
    ];
    let own = option_changes(&from.agent.options, &to.agent.options);
    let rows = rows.into_iter().map(|(name, from, to)| Change { name: name.to_owned(), from, to });
    rows.chain(own).filter(|change| change.from != change.to).collect()
}

/// The name of the model; `-` if the agent asks none.
fn model_name(head: &Head) -> String {
    head.model().unwrap_or("-").to_owned()
}

/// The changes of an agent's settings, one for each entry of a table. The name of the model is told with the head.
fn option_changes(from: &Options, to: &Options) -> impl Iterator<Item = Change> {
    let from = &entries(from);
    let to = &entries(to);
    let text = |options: &Options, key: &str| options.get(key).map_or("-".to_owned(), plain_text);
    let keys: BTreeSet<String> = from.keys().chain(to.keys()).filter(|key| *key != "name").cloned().collect();
    let change = |key: String| Change { from: text(from, &key), to: text(to, &key), name: key };
    keys.into_iter().map(change).collect::<Vec<_>>().into_iter()
}

/// The settings, with those of a table of numbers and words one by one: `demo.skill`. A table of words alone is one, such as headers.
fn entries(options: &Options) -> Options {
    let is_part = |value: &Value| {
        let values = || value.as_object().into_iter().flat_map(|table| table.values());
        values().any(Value::is_number) && values().all(|value| value.is_number() || value.is_string())
    };
    let of = |(key, value): (&String, &Value)| match value.as_object().filter(|_| is_part(value)) {
        Some(table) => table.iter().map(|(entry, value)| (format!("{key}.{entry}"), value.clone())).collect(),
        None => vec![(key.clone(), value.clone())],
    };
    options.iter().flat_map(of).collect()
}

/// A value as text, without the quotes of a text.
fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn json_text(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).map_or_else(|error| error.to_string(), |value| plain_text(&value))
}
