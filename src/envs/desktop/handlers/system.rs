//! `system`: commands, waits, and the difference of two files.

use std::time::Duration;

use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules, Trouble};

pub(super) const HANDLERS: &[Handler] = &[
    Handler {
        evaluator: "system",
        function: "exec",
        phase: Phase::Both,
        params: &[Param::required("command", ParamType::Text)],
        destroys: true,
        call: exec,
    },
    Handler {
        evaluator: "system",
        function: "sleep",
        phase: Phase::Both,
        params: &[Param::required("seconds", ParamType::Number)],
        destroys: false,
        call: sleep,
    },
    Handler {
        evaluator: "system",
        function: "diff",
        phase: Phase::Evaluation,
        params: &[Param::required("file1", ParamType::Made), Param::required("file2", ParamType::Made)],
        destroys: false,
        call: diff,
    },
];

/// The longest command and the longest wait of a task. A command may convert a document with `LibreOffice`.
const LONGEST: Duration = Duration::from_mins(2);

/// Runs a command of the shell; its exit code is left out (`AgentStudio`, section 5 of the rules).
fn exec(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let command = params.text("command")?;
    let ran = case.computer.run(command, LONGEST);
    ran.map(|_| ()).map_err(|trouble| Finding::error(format!("the command {command:?} {trouble}")))
}

/// Waits, up to 120 s.
fn sleep(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let seconds = Duration::try_from_secs_f64(params.number("seconds")?).ok();
    let duration = seconds.filter(|duration| *duration <= LONGEST);
    let duration = duration.ok_or_else(|| {
        Finding::error(format!("the parameter seconds must be from 0 to {}", LONGEST.as_secs()))
    })?;
    case.computer.sleep(duration);
    Ok(())
}

/// Two files have equal bytes (`AgentStudio`, section 5 of the rules). What is missing is a fail. A file that may not be
/// read passes in the released code and is a fail by the standard rules. A folder is a fail by the standard rules, and an
/// error under the released code, which compares folders by the program `diff`.
fn diff(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let (first, second) = (params.text("file1")?, params.text("file2")?);
    let Some(one) = read(case, first)? else { return Ok(()) };
    let Some(other) = read(case, second)? else { return Ok(()) };
    if one == other { Ok(()) } else { Err(Finding::fail(format!("{first} differs from {second}"))) }
}

/// The bytes; `None` if the rules let trouble pass.
fn read(case: &mut Case<'_>, path: &str) -> Result<Option<Vec<u8>>, Finding> {
    match case.computer.read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(trouble @ (Trouble::Missing | Trouble::TooLarge(_))) => Err(trouble.as_fail(path)),
        Err(Trouble::Denied(_)) if case.rules == Rules::Code => Ok(None),
        Err(trouble @ (Trouble::Denied(_) | Trouble::NotAFile)) if case.rules == Rules::Standard => {
            Err(trouble.as_fail(path))
        }
        Err(trouble) => Err(trouble.as_error(path)),
    }
}
