//! `process`: programs that run, are started and are ended.

use std::time::Duration;

use regex::Regex;
use serde_json::Value;

use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, RunningProcess};

pub(super) const HANDLERS: &[Handler] = &[
    Handler {
        evaluator: "process",
        function: "match_process",
        phase: Phase::Evaluation,
        params: &[Param::required("name", ParamType::Text)],
        destroys: false,
        call: match_process,
    },
    Handler {
        evaluator: "process",
        function: "create_process",
        phase: Phase::Reset,
        params: &[Param::required("cmd", ParamType::Command), Param::optional("wait_for", ParamType::Text)],
        destroys: false,
        call: create_process,
    },
    Handler {
        evaluator: "process",
        function: "pkill_by_name",
        phase: Phase::Reset,
        params: &[Param::required("name", ParamType::Text)],
        destroys: true,
        call: pkill_by_name,
    },
];

/// How long a started program is waited for in all, and between two looks.
const WAIT: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(250);

/// A pattern that must match from the start, as Python's `re.match`.
fn pattern(params: &Params<'_>, name: &str) -> Result<Regex, Finding> {
    let text = params.text(name)?;
    Regex::new(&format!(r"\A(?:{text})"))
        .map_err(|_| Finding::error(format!("the parameter {name} must be a regular expression")))
}

fn processes(case: &mut Case<'_>) -> Result<Vec<RunningProcess>, Finding> {
    case.computer.processes().map_err(|trouble| Finding::error(trouble.to_string()))
}

/// Whether the name or the file name of the program matches.
fn matches(pattern: &Regex, process: &RunningProcess) -> bool {
    let file = process.program.rsplit('/').next().unwrap_or_default();
    pattern.is_match(&process.name) || pattern.is_match(file)
}

/// A process runs whose name or program matches from the start (`AgentStudio`, section 5 of the rules).
fn match_process(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pattern = pattern(params, "name")?;
    if processes(case)?.iter().any(|process| matches(&pattern, process)) {
        return Ok(());
    }
    Err(Finding::fail(format!("no process with the name {} runs", params.text("name")?)))
}

/// Starts a program, and waits up to 30 s for a process. None appearing is not an error: the process of `LibreOffice` is
/// `soffice.bin`, and tasks wait for `libreoffice`. So that such a wait ends early, the folders of the program count too.
fn create_process(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let command = command(params)?;
    let awaited = params.get("wait_for").map(|_| pattern(params, "wait_for")).transpose()?;
    let shown = command.join(" ");
    case.computer.start(&command).map_err(|trouble| trouble.as_error(&shown))?;
    let Some(pattern) = awaited else { return Ok(()) };
    let mut waited = Duration::ZERO;
    while waited < WAIT && !processes(case)?.iter().any(|process| runs_from(&pattern, process)) {
        case.computer.sleep(LOOK);
        waited += LOOK;
    }
    Ok(())
}

fn runs_from(pattern: &Regex, process: &RunningProcess) -> bool {
    matches(pattern, process) || process.program.split('/').any(|part| pattern.is_match(part))
}

/// The words of a command; a text with blanks is one for the shell.
fn command(params: &Params<'_>) -> Result<Vec<String>, Finding> {
    let words = match params.get("cmd") {
        Some(Value::String(text)) if text.contains(char::is_whitespace) => {
            Some(vec!["/bin/sh".to_owned(), "-c".to_owned(), text.clone()])
        }
        Some(Value::String(text)) if !text.is_empty() => Some(vec![text.clone()]),
        Some(Value::Array(list)) if !list.is_empty() => {
            list.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        }
        _ => None,
    };
    words.ok_or_else(|| Finding::error("the parameter cmd must be a text or a list of texts"))
}

/// Ends every process of the episode whose name or program matches from the start. None running is not an error.
fn pkill_by_name(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pattern = pattern(params, "name")?;
    let found = processes(case)?;
    let ids: Vec<u32> =
        found.iter().filter(|process| matches(&pattern, process)).map(|process| process.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    case.computer.end(&ids).map_err(|trouble| Finding::error(trouble.to_string()))
}
