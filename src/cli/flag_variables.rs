//! Variables of the environment that set settings: one per flag, and those in [`OTHER_VARIABLES`].

use std::collections::BTreeSet;

use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::diagnostics::print_message;
use super::doctor::PROBE_MODEL;
use super::flag_values::{PREFIX, variable};
use super::sweep::OF_SWEEPS;
use mageyard_config::{Origin, Problem, SettingOverride};
use mageyard_domain::nearest_names;

pub(super) fn name_variables(command: Command) -> Command {
    let named = command.mut_args(|arg| match (arg.get_long().map(variable), arg.get_action()) {
        (Some(name), ArgAction::SetTrue) => {
            arg.env(name).hide_env(true).value_parser(BoolishValueParser::new())
        }
        (Some(_), _) if arg.get_id() == PROBE_MODEL || arg.get_id().as_str().starts_with(OF_SWEEPS) => arg,
        (Some(name), _) => arg.env(name).hide_env(true),
        (None, _) => arg,
    });
    named.mut_subcommands(name_variables)
}

/// Warns of each unknown `MAGEYARD_…` variable: a misspelt one would be ignored silently. It is not an error, since other
/// programs, such as those that run jobs, may set variables with this prefix.
pub(super) fn warn_of_unknown_variables(command: &Command) {
    let names = known_variables(command);
    let given = std::env::vars_os()
        .filter_map(|(name, _)| name.to_string_lossy().strip_prefix(PREFIX).map(str::to_owned));
    let unknown: BTreeSet<String> = given.filter(|name| !names.contains(name)).collect();
    for name in unknown {
        print_message(&unknown_variable_warning(&name, &names));
    }
}

fn unknown_variable_warning(name: &str, known: &BTreeSet<String>) -> String {
    let near = nearest_names(name, known.iter().map(String::as_str));
    let near: Vec<_> = near.iter().map(|name| format!("{PREFIX}{name}")).collect();
    let advice = match near.as_slice() {
        [] => format!("each flag has a variable, such as {PREFIX}MAX_STEPS for --max-steps"),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    format!("warning: there is no variable {PREFIX}{name}, so it is ignored; {advice}")
}

/// All variables of the program, without the prefix.
fn known_variables(command: &Command) -> BTreeSet<String> {
    let further = OTHER_VARIABLES.iter().filter_map(|row| row.name.strip_prefix(PREFIX)).map(str::to_owned);
    variables(command).into_iter().chain(further).collect()
}

/// The variables of the flags of a command and all its subcommands, without the prefix.
fn variables(command: &Command) -> BTreeSet<String> {
    let of = |arg: &Arg| arg.get_env()?.to_str()?.strip_prefix(PREFIX).map(str::to_owned);
    let own = command.get_arguments().filter_map(of);
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// A variable that is not named after a flag.
pub(super) struct OtherVariable {
    name: &'static str,
    setting: &'static str,
    /// The flag that a verb must have; `None` for all verbs.
    flag: Option<&'static str>,
}

/// Variables shared with other programs and those of settings without a flag, in increasing precedence.
#[rustfmt::skip]
pub(super) const OTHER_VARIABLES: [OtherVariable; 4] = [
    OtherVariable { name: "OPENAI_API_BASE", setting: "model.base_url", flag: Some("base-url") },
    OtherVariable { name: "OPENAI_BASE_URL", setting: "model.base_url", flag: Some("base-url") },
    OtherVariable { name: "MAGEYARD_CHROMIUM", setting: "browser.program", flag: None },
    OtherVariable { name: "MAGEYARD_FOOTBALL_PYTHON", setting: "football.python", flag: None },
];

/// The setting given by such a variable, unless it is empty.
pub(super) fn other_variable(
    matches: &ArgMatches,
    row: &OtherVariable,
) -> Result<Option<SettingOverride>, Problem> {
    if row.flag.is_some_and(|flag| matches.try_contains_id(flag).is_err()) {
        return Ok(None);
    }
    let Some(value) = std::env::var_os(row.name).filter(|value| !value.is_empty()) else { return Ok(None) };
    let text = value.into_string().map_err(|_| {
        let what = format!("the value of the variable {} is not UTF-8", row.name);
        Problem::new(what).with_help(format!("change it, or write {} into a settings file", row.setting))
    })?;
    Ok(Some(SettingOverride::new(row.setting, text, Origin::Variable(row.name.to_owned()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_sets_a_setting_that_exists() {
        for variable in &OTHER_VARIABLES {
            assert!(
                !mageyard_config::setting_summary(variable.setting).is_empty(),
                "{} has no setting",
                variable.name
            );
        }
    }
}
