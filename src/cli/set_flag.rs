//! `--set`: sets any setting, on every verb.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::flag_values::GLOBAL;
use mageyard_config::{Problem, SettingOverride};

/// The flag that sets any setting.
pub(super) const SET: &str = "--set";

/// Adds `--set` to a command and all below it. It is not global for the parser, which would keep only those at one
/// level. It has no variable: a variable holds one value, and `--set` is repeated.
pub(super) fn add_set(command: Command) -> Command {
    // A verb with its own `--set` reads lists and ranges.
    if command.get_arguments().any(|arg| arg.get_long() == Some(SET_ID)) {
        return command;
    }
    let set = Arg::new(SET_ID)
        .long(SET_ID)
        .value_name("NAME=VALUE")
        .action(ArgAction::Append)
        .help("Set any setting, such as model.timeout=300")
        .long_help(
            "Set any setting: TABLE.NAME=VALUE, such as model.timeout=300 or model.headers.X-Team=vision, or the name \
             of a flag, such as am=1. Can be repeated. Values are written as in config.toml; the quotes of a text may be left out. `mageyard config \
             print` lists all settings. It has no variable",
        )
        .help_heading(GLOBAL)
        .hide_short_help(!LISTING.contains(&command.get_name()));
    command.arg(set).mut_subcommands(add_set)
}

/// The verbs whose short help lists it.
const LISTING: [&str; 3] = ["play", "run", "doctor"];

/// The id of `--set`.
const SET_ID: &str = "set";

/// The assignments that the flag with this identifier has, if it is this one.
pub(super) fn assignments<'a>(matches: &'a ArgMatches, id: &str) -> Option<Vec<&'a String>> {
    let own = || matches.try_get_many::<String>(SET_ID).ok().flatten();
    (id == SET_ID).then(|| own().into_iter().flatten().collect())
}

/// Adds the settings of `--set` in front of and after each verb. `setting_of` knows the settings by the names of their
/// flags: `am=1` is `memory.am=1`.
pub(super) fn add_assignments(
    matches: &ArgMatches,
    setting_of: &dyn Fn(&str) -> Option<&'static str>,
    given: &mut Vec<SettingOverride>,
) -> Result<(), Problem> {
    let own = matches.try_get_many::<String>(SET_ID).ok().flatten();
    for assignment in own.into_iter().flatten() {
        let named =
            assignment.split_once('=').and_then(|(name, value)| Some((setting_of(name.trim())?, value)));
        let whole = named.map_or_else(|| assignment.clone(), |(setting, value)| format!("{setting}={value}"));
        given.push(SettingOverride::parse(&whole, SET)?);
    }
    matches.subcommand().map_or(Ok(()), |(_, below)| add_assignments(below, setting_of, given))
}
