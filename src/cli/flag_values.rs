//! What flags have in common: headings in the help, variables, and the origin of a value.

use clap::ArgMatches;
use clap::parser::ValueSource;

use mageyard_config::Origin;

/// The prefix of every variable of the program.
pub(super) const PREFIX: &str = "MAGEYARD_";

/// The heading of flags that every verb has.
pub(super) const GLOBAL: &str = "Global options";
/// The heading of flags that set a setting.
pub(super) const SETTINGS: &str = "Settings";

/// The variable of a flag.
pub(super) fn variable(long: &str) -> String {
    format!("{PREFIX}{}", long.replace('-', "_").to_uppercase())
}

/// Where the value of a flag comes from; `None` if the verb does not have the flag.
pub(super) fn value_source(matches: &ArgMatches, long: &str) -> Option<ValueSource> {
    matches.try_contains_id(long).is_ok_and(|there| there).then(|| matches.value_source(long)).flatten()
}

/// The flag, or its variable, as the origin of a value.
pub(super) fn origin(long: &str, source: ValueSource) -> Origin {
    match source {
        ValueSource::EnvVariable => Origin::Variable(variable(long)),
        _ => Origin::Flag(format!("--{long}")),
    }
}
