//! `vscode`: extensions of Visual Studio Code, read from its files and changed by its own program.

mod disabled;
mod installed;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::Value;

pub use self::disabled::disabled_extensions_query;
use self::installed::{Extension, installed};
use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};

const EXTENSION: Param = Param::required("extension_id", ParamType::Text);

pub(super) const HANDLERS: &[Handler] = &[
    Handler {
        evaluator: "vscode",
        function: "extension_installed",
        phase: Phase::Evaluation,
        params: &[
            EXTENSION,
            Param::required("exists", ParamType::Flag),
            Param::optional("version", ParamType::Text),
            Param::optional("published_before", ParamType::Text),
            Param::optional("published_after", ParamType::Text),
        ],
        destroys: false,
        call: extension_installed,
    },
    Handler {
        evaluator: "vscode",
        function: "is_extension_disabled",
        phase: Phase::Evaluation,
        params: &[Param::required("extension_list", ParamType::List)],
        destroys: false,
        call: is_extension_disabled,
    },
    change("install_extension", &[EXTENSION], false, install),
    change("uninstall_extension", &[EXTENSION], true, uninstall),
    change("uninstall_all_extensions", &[], true, uninstall_all),
];

const fn change(
    function: &'static str,
    params: &'static [Param],
    destroys: bool,
    call: fn(&Params<'_>, &mut Case<'_>) -> Result<(), Finding>,
) -> Handler {
    Handler { evaluator: "vscode", function, phase: Phase::Reset, params, destroys, call }
}

/// How long a change of one extension may take: it is loaded from the network.
const LONGEST: Duration = Duration::from_mins(2);

/// Whether an extension has this identifier; the program itself does not distinguish capital letters, the released code
/// does.
fn is_named(found: &str, expected: &str, rules: Rules) -> bool {
    match rules {
        Rules::Standard => found.eq_ignore_ascii_case(expected),
        Rules::Code => found == expected,
    }
}

/// An extension is installed, in a version if one is given, or is not (`AgentStudio`, section 5 of the rules). When it
/// was published is known only to the marketplace, so a limit of that date is an error.
fn extension_installed(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let id = params.text("extension_id")?;
    let expected = params.flag("exists")?;
    let all = installed(case)?;
    let found = all.iter().find(|extension| is_named(&extension.id, id, case.rules));
    let Some(found) = found else {
        return if expected { Err(Finding::fail(format!("{id} is not installed"))) } else { Ok(()) };
    };
    if !expected {
        return Err(Finding::fail(format!("{id} is installed and should not be")));
    }
    if params.get("version").is_some() {
        version(found, params.text("version")?)?;
    }
    if params.get("published_before").or(params.get("published_after")).is_some() {
        let reason = format!("when {id} {} was published is known only to the marketplace", found.version);
        return Err(Finding::Error(reason));
    }
    Ok(())
}

fn version(found: &Extension, expected: &str) -> Result<(), Finding> {
    if found.version == expected {
        return Ok(());
    }
    let Extension { id, version } = found;
    Err(Finding::fail(format!("{id} has the version {version}, expected is {expected}")))
}

/// Each extension of a list of `{extension_id, enabled}` is enabled, or disabled for all folders (`AgentStudio`,
/// section 5 of the rules). Without a state of the program all are enabled; the released code fails then.
fn is_extension_disabled(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let mut expected = Vec::new();
    for entry in params.list("extension_list")? {
        let id = entry.get("extension_id").and_then(Value::as_str);
        let pair = id.zip(entry.get("enabled").and_then(Value::as_bool));
        let reason = "the parameter extension_list must have objects of extension_id and enabled";
        expected.push(pair.ok_or_else(|| Finding::error(reason))?);
    }
    let disabled = match disabled::disabled(case)? {
        Some(disabled) => disabled,
        None if case.rules == Rules::Standard => Vec::new(),
        None => return Err(Finding::fail("VS Code has no stored state")),
    };
    for (id, enabled) in expected {
        let is_enabled = !disabled.iter().any(|found| is_named(found, id, case.rules));
        if is_enabled != enabled {
            let words = |enabled| if enabled { "enabled" } else { "disabled" };
            let sentence = format!("{id} is {}, expected is {}", words(is_enabled), words(enabled));
            return Err(Finding::Fail(sentence));
        }
    }
    Ok(())
}

/// Installs an extension.
fn install(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    code(case, "--install-extension", params.text("extension_id")?)
}

/// Uninstalls an extension if it is there.
fn uninstall(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let id = params.text("extension_id")?;
    if installed(case)?.iter().any(|extension| extension.id.eq_ignore_ascii_case(id)) {
        code(case, "--uninstall-extension", id)?;
    }
    Ok(())
}

/// Uninstalls every extension, in the order in which they are listed. One that others need goes with a next try.
fn uninstall_all(_params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let mut left = installed(case)?;
    while !left.is_empty() {
        let results: Vec<_> =
            left.iter().map(|extension| code(case, "--uninstall-extension", &extension.id)).collect();
        let now = installed(case)?;
        if now.len() >= left.len() {
            results.into_iter().collect::<Result<(), _>>()?;
            return Err(Finding::error(format!("{} extensions are still installed", now.len())));
        }
        left = now;
    }
    Ok(())
}

/// Runs the program with an option and an extension.
fn code(case: &mut Case<'_>, option: &str, id: &str) -> Result<(), Finding> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@".contains(&byte);
    if id.starts_with('-') || id.is_empty() || !id.bytes().all(is_plain) {
        let reason = "the parameter extension_id must be a publisher and a name, such as ms-python.python";
        return Err(Finding::error(reason));
    }
    let command = format!("code {option} {id} --force");
    let ran = case.computer.run(&command, LONGEST).map_err(|trouble| trouble.as_error(&command))?;
    if ran.code == Some(0) {
        return Ok(());
    }
    let last = ran.output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(Finding::error(format!("{command} failed: {}", mageyard_domain::sanitize(last))))
}
