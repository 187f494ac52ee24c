//! `doctor`: whether the programs work that environments can use, such as a real engine.

use super::context::Context;
use super::exit::Failure;
use super::finding::Finding;
use super::runtime::single_thread_runtime;
use mageyard_config::{Config, Problem};
use mageyard_domain::ProgramState;

/// Tries the programs of all environments. One that is chosen and does not work is a failure, one that is only named a
/// warning.
pub(super) fn findings(context: &Context, config: &Config) -> Result<Vec<Finding>, Failure> {
    let runtime = single_thread_runtime()?;
    let mut findings = Vec::new();
    for environment in context.lab.environments() {
        let options = config.settings().options(environment.name());
        for program in environment.capabilities().tools.programs {
            findings.push(match runtime.block_on(program.check(&options)) {
                Ok(ProgramState::Usable(found)) => Finding::ok(program.name(), found),
                Ok(ProgramState::Broken(reason)) => Finding::fail(program.name(), Problem::new(reason)),
                Ok(ProgramState::NotChosen { reason, advice }) => {
                    Finding::warn(program.name(), reason, advice)
                }
                Err(error) => {
                    let problem = Problem::new(format!("{}.{error}", environment.name()));
                    Finding::fail(program.name(), problem)
                }
            });
        }
    }
    Ok(findings)
}
