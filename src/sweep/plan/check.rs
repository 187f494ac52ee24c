//! Whether a combination of settings can be played: the checks that an episode makes when it is opened.

use super::start::remove_start;
use crate::agent_row;
use mageyard_config::{AssignedSetting, Config, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::{
    Lab, LabError, SelectedLevel, agent_names, check_head, configured_reader, create_environment,
    given_replies, new_head, prompt_catalog, refuse_person, refuse_without_person, replay_source,
};

/// Why an episode of this level cannot be played with these settings.
pub(crate) fn check_combination(lab: &Lab, config: &Config, level: &SelectedLevel) -> Result<(), Problem> {
    refuse_person(lab, config)?;
    let mut head = new_head(lab, config, level, config.settings().play.seed)?;
    remove_start(level.spec, &mut head.options);
    let row = agent_row(lab, level.spec, config)?;
    if row.takes_replies {
        return given_replies(lab, config).map(drop);
    }
    if row.repeats_recording {
        return replay_source(lab, config).map(drop).map_err(into_problem);
    }
    check_head(lab, &head, config).map_err(into_problem)
}

/// Rejects levels whose episodes ask a person, because none is in a sweep; unless the settings say that they are parked. What
/// follows from the settings alone is the same for all levels of an environment.
pub(super) fn refuse_persons(lab: &Lab, config: &Config, levels: &[SelectedLevel]) -> Result<(), Problem> {
    let may_ask = |level: &&SelectedLevel| {
        let capabilities = level.spec.capabilities();
        capabilities.persons.is_some() || capabilities.questions.is_some()
    };
    let others = levels.iter().skip(1).filter(may_ask);
    levels.iter().take(1).chain(others).try_for_each(|level| {
        let head = new_head(lab, config, level, config.settings().play.seed)?;
        refuse_without_person(lab, &[head], config)
    })
}

/// Rejects an agent, a prompt or a reader that exists nowhere: no combination could make it valid.
pub(crate) fn check_names(lab: &Lab, config: &Config) -> Result<(), Problem> {
    configured_reader(config.folders(), config)?;
    check_agent_name(lab, config)?;
    check_prompt_name(lab, config)
}

fn check_agent_name(lab: &Lab, config: &Config) -> Result<(), Problem> {
    let agent = &config.settings().play.agent;
    let names = agent_names(lab);
    if names.contains(&agent.as_str()) {
        return Ok(());
    }
    let problem = config.problem_with("play.agent", format!("there is no agent {agent:?}"));
    Err(problem.with_suggestions(agent, names))
}

fn check_prompt_name(lab: &Lab, config: &Config) -> Result<(), Problem> {
    let prompt = &config.settings().play.prompt;
    let of = |spec: &&'static dyn EnvironmentSpec| prompt_catalog(*spec, config.folders()).entries();
    let mut names: Vec<String> = lab.environments().iter().flat_map(of).map(|entry| entry.name).collect();
    names.sort();
    names.dedup();
    if names.contains(prompt) {
        return Ok(());
    }
    let problem = config.problem_with("play.prompt", format!("there is no prompt {prompt}"));
    Err(problem.with_suggestions(prompt, names.iter().map(String::as_str)))
}

/// The problem of an error in a plan, whose exit code does not matter.
fn into_problem(error: LabError) -> Problem {
    match error {
        LabError::Request(problem) | LabError::Mismatch(problem) | LabError::Failed(problem) => problem,
        error => Problem::new(error.to_string()),
    }
}

/// Rejects a value of a setting that its agent or its environment does not accept with any others: one that is out of range
/// or malformed. `config` is that of a combination which has it.
pub(super) fn refuse_invalid_value(
    lab: &Lab,
    value: &AssignedSetting,
    config: &Config,
    levels: &[SelectedLevel],
) -> Result<(), Problem> {
    let Some((table, key)) = value.name.split_once('.') else { return Ok(()) };
    let Some(level) = levels.first() else { return Ok(()) };
    let shipped = Config::shipped(config.folders().clone())?;
    let mut options = shipped.settings().options(table);
    options.insert(key.to_owned(), value.value.clone());
    let why = if table == level.spec.name() {
        let opened = create_environment(level.spec, &level.level, &options, config.settings().play.seed);
        opened.err().filter(|(name, _)| *name == value.name).map(|(_, why)| why)
    } else {
        let own = agent_row(lab, level.spec, config)?.settings;
        let own = own.filter(|own| own.table == table || own.part == Some(table));
        let of_table = |of: &str| if of == table { options.clone() } else { shipped.settings().options(of) };
        own.and_then(|own| (own.validate)(&own.read(of_table)).err()).map(|error| error.to_string())
    };
    why.map_or(Ok(()), |why| Err(value.origin.problem(&why)))
}
