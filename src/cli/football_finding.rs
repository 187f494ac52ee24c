//! `doctor`: whether the real engine of football plays, if it is chosen or its interpreter is named.

use super::exit::Failure;
use super::finding::Finding;
use super::runtime::single_thread_runtime;
use mageyard_config::{Config, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_football::grf::{EngineReport, probe};
use mageyard_football::{Football, Program, named_program, real_engine};

const NAME: &str = "football engine";

/// Tries the real engine. One that is chosen and does not play is a failure, one that is only named a warning.
pub(super) fn finding(config: &Config) -> Result<Finding, Failure> {
    let options = config.settings().options(Football.name());
    let chosen = match real_engine(&options) {
        Ok(chosen) => chosen,
        Err(error) => return Ok(Finding::fail(NAME, Problem::new(format!("football.{error}")))),
    };
    let is_chosen = chosen.is_some();
    let Some(program) = chosen.or_else(|| named_program(&options)) else {
        return Ok(Finding::ok(NAME, "football/lite; football.python names no interpreter for football/grf"));
    };
    let found = single_thread_runtime()?.block_on(probe(&program));
    Ok(match found {
        Ok(report) => Finding::ok(NAME, describe(&program, &report)),
        Err(failure) if is_chosen => Finding::fail(NAME, Problem::new(failure.to_string())),
        Err(failure) => Finding::warn(NAME, failure.to_string(), "football/lite needs nothing"),
    })
}

fn describe(program: &Program, report: &EngineReport) -> String {
    let EngineReport { version, python } = report;
    format!("football/grf: gfootball {version}, Python {python}: {}", program.interpreter())
}
