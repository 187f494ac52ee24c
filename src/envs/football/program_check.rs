//! Whether the real engine plays, if it is chosen or its interpreter is named.

use async_trait::async_trait;

use super::grf::{EngineReport, probe};
use super::world::Settings;
use super::{Program, real_engine};
use mageyard_domain::{OptionError, Options, ProgramCheck, ProgramState};

/// The check of the real engine.
pub(crate) struct RealEngine;

#[async_trait]
impl ProgramCheck for RealEngine {
    fn name(&self) -> &'static str {
        "football engine"
    }

    async fn check(&self, options: &Options) -> Result<ProgramState, OptionError> {
        let chosen = real_engine(options)?;
        let is_chosen = chosen.is_some();
        let Some(program) = chosen.or_else(|| named_program(options)) else {
            let found = "football/lite; football.python names no interpreter for football/grf";
            return Ok(ProgramState::Usable(found.to_owned()));
        };
        Ok(match probe(&program).await {
            Ok(report) => ProgramState::Usable(describe(&program, &report)),
            Err(failure) if is_chosen => ProgramState::Broken(failure.to_string()),
            Err(failure) => {
                ProgramState::NotChosen { reason: failure.to_string(), advice: "football/lite needs nothing" }
            }
        })
    }
}

/// The program of the real engine, if these options name its interpreter.
fn named_program(options: &Options) -> Option<Program> {
    let program = Settings::read(options).ok()?.program;
    (!program.python.is_empty()).then_some(program)
}

fn describe(program: &Program, report: &EngineReport) -> String {
    let EngineReport { version, python } = report;
    format!("football/grf: gfootball {version}, Python {python}: {}", program.interpreter())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(options: &[(&str, &str)]) -> Result<ProgramState, OptionError> {
        let option = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).into());
        RealEngine.check(&options.iter().map(option).collect()).await
    }

    #[tokio::test]
    async fn an_engine_that_is_missing_matters_only_if_it_is_chosen() {
        let none = ("python", "/nowhere/python");
        assert!(
            matches!(check(&[]).await, Ok(ProgramState::Usable(found)) if found.starts_with("football/lite;"))
        );
        assert!(matches!(check(&[none]).await, Ok(ProgramState::NotChosen { .. })));
        assert!(matches!(check(&[none, ("engine", "grf")]).await, Ok(ProgramState::Broken(_))));
        assert_eq!(check(&[("engine", "none")]).await.unwrap_err().name, "engine");
    }
}
