//! Whether a combination of settings can be played: the checks that an episode makes when it is opened.

use super::start::remove_start;
use crate::agent_row;
use mageyard_config::{Config, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::{
    Lab, LabError, SelectedLevel, agent_names, check_head, configured_reader, new_head, prompt_catalog,
    refuse_person, replay_source,
};

/// Why an episode of this level cannot be played with these settings.
pub(crate) fn check_combination(lab: &Lab, config: &Config, level: &SelectedLevel) -> Result<(), Problem> {
    refuse_person(lab, config)?;
    let mut head = new_head(lab, config, level, config.settings().play.seed)?;
    remove_start(level.spec, &mut head.options);
    if agent_row(lab, level.spec, config)?.repeats_recording {
        return replay_source(lab, config).map(drop).map_err(into_problem);
    }
    check_head(lab, &head, config).map_err(into_problem)
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
