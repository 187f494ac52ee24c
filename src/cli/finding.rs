//! Results of the checking verbs: one line per check, `ok`, `warn` or `fail`.

use std::io;
use std::io::IsTerminal;

use schemars::JsonSchema;
use serde::Serialize;

use super::diagnostics::print_problem;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use mageyard_config::Problem;
use mageyard_lab::AbilityVerdict;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Ok,
    Warn,
    Fail,
}

/// A result of a check (`doctor`, `check` and others).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// What was checked.
    pub(crate) name: String,
    /// `ok`, `warn` or `fail`.
    #[schemars(with = "String")]
    pub(crate) verdict: Verdict,
    /// Result.
    pub(crate) detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) advice: Option<String>,
    /// Line of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub(crate) line: Option<usize>,
    /// What a model server does (`doctor --model`): `works`, `not_seen` (accepted but not received), `refused`,
    /// `not_reported` or `not_tested`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) ability: Option<AbilityVerdict>,
    #[serde(skip)]
    problem: Option<Problem>,
}

impl Record for Finding {
    const TYPE: &'static str = "finding";
}

impl Finding {
    /// A check that passed.
    pub fn ok(name: impl Into<String>, detail: impl Into<String>) -> Self {
        let name = name.into();
        let detail = detail.into();
        Self { name, verdict: Verdict::Ok, detail, advice: None, line: None, ability: None, problem: None }
    }

    /// A check that passed with a warning.
    pub fn warn(name: impl Into<String>, detail: impl Into<String>, advice: &str) -> Self {
        Self { verdict: Verdict::Warn, advice: Some(advice.to_owned()), ..Self::ok(name, detail) }
    }

    /// A check that failed.
    pub(crate) fn fail(name: impl Into<String>, problem: Problem) -> Self {
        Self {
            verdict: Verdict::Fail,
            advice: problem.help.clone(),
            line: problem
                .location
                .as_ref()
                .filter(|place| !place.text.is_empty())
                .map(mageyard_config::SourceLocation::line),
            problem: Some(problem.clone()),
            ..Self::ok(name, problem.message)
        }
    }

    /// The check of an ability of a model server.
    pub(crate) fn of_ability(self, ability: Option<AbilityVerdict>) -> Self {
        Self { ability, ..self }
    }

    /// A check that passed with this detail, or failed.
    pub(crate) fn of(name: impl Into<String>, result: Result<String, Problem>) -> Self {
        let name = name.into();
        match result {
            Ok(detail) => Self::ok(name, detail),
            Err(problem) => Self::fail(name, problem),
        }
    }

    /// A table row. A problem that is shown with its source below, on the same terminal, is not repeated
    /// here.
    fn cells(&self, shown_below: bool) -> Vec<String> {
        let verdict = match self.verdict {
            Verdict::Ok => "ok",
            Verdict::Warn => "warn",
            Verdict::Fail => "FAIL",
        };
        if shown_below && self.located_problem().is_some() {
            return vec![verdict.to_owned(), self.name.clone(), "see below".to_owned()];
        }
        let line = self.line.map_or_else(String::new, |line| format!("line {line}: "));
        let advice = self.advice.as_ref().map_or_else(String::new, |advice| format!(" ({advice})"));
        vec![verdict.to_owned(), self.name.clone(), format!("{line}{}{advice}", self.detail)]
    }

    /// The problem, if it has a location.
    fn located_problem(&self) -> Option<&Problem> {
        self.problem.as_ref().filter(|problem| problem.location.is_some())
    }
}

/// Prints all checks, and problems with their location on standard error. The exit code is 2 if one failed.
pub(crate) fn print_findings(findings: &[Finding], json: bool) -> Result<Exit, Failure> {
    let mut out = Output::open();
    if json {
        findings.iter().try_for_each(|finding| out.record(finding))?;
    } else {
        let one_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
        let rows: Vec<_> = findings.iter().map(|finding| finding.cells(one_terminal)).collect();
        out.table(&rows)?;
    }
    for problem in findings.iter().filter_map(Finding::located_problem) {
        print_problem(problem);
    }
    let failed = findings.iter().any(|finding| finding.problem.is_some());
    Ok(if failed { Exit::BadRequest } else { Exit::Done })
}
