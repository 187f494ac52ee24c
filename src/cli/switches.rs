//! Flags without a value that set a setting.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};

use super::flag_scope::Scope;
use super::flag_values::{SETTINGS, origin, value_source};
use mageyard_config::SettingOverride;

/// A flag without a value: the flag, its setting, the value that it stands for, and its help.
pub(super) struct Switch {
    pub(super) long: &'static str,
    setting: &'static str,
    value: bool,
    brief: &'static str,
    /// The verbs that have it.
    pub(super) scope: Scope,
}

/// All switches.
#[rustfmt::skip]
pub(super) const SWITCHES: [Switch; 6] = [
    Switch { long: "stream", setting: "model.stream", value: true, brief: "Stream replies", scope: Scope::Play },
    Switch { long: "no-stream", setting: "model.stream", value: false, brief: "Do not stream replies", scope: Scope::Play },
    Switch { long: "solver-visible", setting: "play.solver_visible", value: true, brief: "Show a person the optimum and distances before the end", scope: Scope::Play },
    Switch { long: "keep-going", setting: "run.keep_going", value: true, brief: "Leave out records that cannot be played", scope: Scope::Run },
    Switch { long: "strict", setting: "run.keep_going", value: false, brief: "Refuse all if a record cannot be played", scope: Scope::Run },
    Switch { long: "linear", setting: "screen.linear", value: true, brief: "Lines of text in place of the full screen", scope: Scope::Screen },
];

/// The argument of a switch.
pub(super) fn switch_arg(switch: &Switch) -> Arg {
    let summary = mageyard_config::setting_summary(switch.setting);
    Arg::new(switch.long)
        .long(switch.long)
        .action(ArgAction::SetTrue)
        .help(switch.brief)
        .long_help(format!("{}: {} = {}. {summary}", switch.brief, switch.setting, switch.value))
        .help_heading(SETTINGS)
        .hide_short_help(true)
}

/// The setting of a switch. A variable can turn it off, which sets the opposite.
pub(super) fn switched_setting(
    matches: &ArgMatches,
    switch: &Switch,
    wanted: ValueSource,
) -> Option<SettingOverride> {
    if value_source(matches, switch.long) != Some(wanted) {
        return None;
    }
    let on = matches.try_get_one::<bool>(switch.long).ok().flatten()?;
    let value = if *on { switch.value } else { !switch.value };
    Some(SettingOverride::new(switch.setting, value.to_string(), origin(switch.long, wanted)))
}
