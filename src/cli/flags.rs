//! Flags that override a setting for one invocation. One row per flag; the help text is the comment of the
//! setting in `config.toml`.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::flag_scope::Scope;
use super::flag_values::{GLOBAL, SETTINGS, origin, value_source};
use super::flag_variables::{OTHER_VARIABLES, name_variables, other_variable};
use super::set_flag::{add_assignments, add_set};
use super::switches::{SWITCHES, switch_arg, switched_setting};
use mageyard_config::{Problem, SettingOverride};

struct Flag {
    long: &'static str,
    setting: &'static str,
    value: &'static str,
    /// The text in the short help; the long help has the comment of the setting.
    brief: &'static str,
    scope: Scope,
}

#[rustfmt::skip]
const FLAGS: [Flag; 35] = [
    Flag { long: "agent", setting: "play.agent", value: "NAME", brief: "Who acts: oracle, random, faulty, idle, model, demo, replay, replies or human", scope: Scope::Play },
    Flag { long: "from", setting: "play.from", value: "SESSION", brief: "Session that --agent replay repeats, or file of --agent replies", scope: Scope::Play },
    Flag { long: "model", setting: "model.name", value: "NAME", brief: "Name of the model, for --agent model and demo", scope: Scope::Play },
    Flag { long: "base-url", setting: "model.base_url", value: "URL", brief: "URL of the model server", scope: Scope::Play },
    Flag { long: "max-retries", setting: "model.max_retries", value: "N", brief: "Retries of a failed request", scope: Scope::Play },
    Flag { long: "temperature", setting: "model.temperature", value: "N", brief: "Sampling temperature", scope: Scope::Play },
    Flag { long: "top-p", setting: "model.top_p", value: "N", brief: "Nucleus sampling (top_p)", scope: Scope::Play },
    Flag { long: "timeout", setting: "model.timeout", value: "SECONDS", brief: "Seconds without data from the server", scope: Scope::Play },
    Flag { long: "extra", setting: "model.extra", value: "JSON", brief: "Additional fields of the request", scope: Scope::Play },
    Flag { long: "prompt", setting: "play.prompt", value: "NAME", brief: "Prompt variant", scope: Scope::Play },
    Flag { long: "setting", setting: "play.setting", value: "SETTING", brief: "online (one action per request) or global (one plan)", scope: Scope::Play },
    Flag { long: "reader", setting: "play.reader", value: "NAME", brief: "Reader of replies: strict, lenient, magebench, think, json or a file", scope: Scope::Play },
    Flag { long: "am", setting: "memory.am", value: "N", brief: "AM: past outputs of the agent in a request", scope: Scope::Play },
    Flag { long: "om", setting: "memory.om", value: "N", brief: "OM: frames in a request, at most AM", scope: Scope::Play },
    Flag { long: "seed", setting: "play.seed", value: "N", brief: "Random seed, also of models whose protocol has one (chat)", scope: Scope::Play },
    Flag { long: "max-steps", setting: "play.max_steps", value: "N", brief: "Step limit of an episode", scope: Scope::Play },
    Flag { long: "max-time", setting: "play.max_time", value: "SECONDS", brief: "Time limit of an episode in seconds; 0 for none", scope: Scope::Play },
    Flag { long: "time-checked", setting: "play.time_checked", value: "WHEN", brief: "When the time limit is checked: always or between", scope: Scope::Play },
    Flag { long: "attempts", setting: "play.attempts", value: "N", brief: "Attempts in a step, 1 to 3", scope: Scope::Play },
    Flag { long: "on-unreadable", setting: "play.on_unreadable", value: "WHAT", brief: "After the last unreadable reply of a step: skip or end", scope: Scope::Play },
    Flag { long: "on-repeating", setting: "play.on_repeating", value: "WHAT", brief: "When the agent repeats itself: go_on, end or refuse", scope: Scope::Play },
    Flag { long: "confirm-actions", setting: "play.confirm", value: "WHICH", brief: "Actions that a person confirms: never or each", scope: Scope::Play },
    Flag { long: "without-person", setting: "play.without_person", value: "WHAT", brief: "Episodes that ask where no person is: refuse or park", scope: Scope::Play },
    Flag { long: "max-tokens", setting: "play.max_tokens", value: "N", brief: "Token limit of an episode; 0 for none", scope: Scope::Play },
    Flag { long: "cost-limit", setting: "play.cost_limit", value: "AMOUNT", brief: "Cost limit of an episode; 0 for none", scope: Scope::Play },
    Flag { long: "jobs", setting: "run.jobs", value: "N", brief: "Episodes at once", scope: Scope::Run },
    Flag { long: "permits", setting: "sweep.permits", value: "WHERE", brief: "Where processes share the requests at once: file, or redis://HOST", scope: Scope::Sweep },
    Flag { long: "theme", setting: "screen.theme", value: "NAME", brief: "Colour theme: dark, light, red-green-safe, blue-yellow-safe, ansi16, ansi16-light, mono or a file", scope: Scope::Screen },
    Flag { long: "pictures", setting: "screen.pictures", value: "FORM", brief: "Form: auto, kitty, iterm2, sixel, half-blocks, sextants, braille, ascii or text", scope: Scope::Screen },
    Flag { long: "motion", setting: "screen.motion", value: "HOW", brief: "Movement on the screen: full or reduced", scope: Scope::Screen },
    Flag { long: "link", setting: "screen.link", value: "LINK", brief: "Link to the terminal: auto (measured), slow or fast", scope: Scope::Screen },
    Flag { long: "pace", setting: "screen.pace", value: "MS", brief: "Milliseconds between automatic steps", scope: Scope::Screen },
    Flag { long: "store", setting: "store.folder", value: "DIR", brief: "Folder of recorded sessions", scope: Scope::Global },
    Flag { long: "log-level", setting: "log.level", value: "LEVEL", brief: "Level of the log file", scope: Scope::Global },
    Flag { long: "log-filter", setting: "log.filter", value: "LEVELS", brief: "Levels of single modules in the log file", scope: Scope::Global },
];

/// The settings flags that the short help (`-h`) of a verb lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShortHelp {
    None,
    Common,
    All,
}

/// Flags in the short help of the verbs that play.
const COMMON: [&str; 10] =
    ["agent", "model", "base-url", "prompt", "setting", "am", "om", "seed", "max-steps", "jobs"];

/// Flags that replace what was recorded in a replay.
const REPLAYED: [&str; 4] = ["prompt", "reader", "am", "om"];

/// Flags that replace what the parent of a branch has.
const FORKED: [&str; 17] = [
    "agent",
    "model",
    "base-url",
    "temperature",
    "top-p",
    "prompt",
    "reader",
    "am",
    "om",
    "max-steps",
    "max-time",
    "time-checked",
    "attempts",
    "on-unreadable",
    "on-repeating",
    "max-tokens",
    "cost-limit",
];

/// Flags that replace what a recorded step has when it is asked again.
const ASKED: [&str; 8] =
    ["base-url", "temperature", "top-p", "timeout", "max-retries", "extra", "reader", "agent"];

/// Flags of the settings of a model.
const MODEL_FLAGS: [&str; 7] =
    ["model", "base-url", "temperature", "top-p", "timeout", "max-retries", "extra"];

/// The command with its settings flags: `--store` and those of the log file on every verb, the others on
/// the verbs that play or show. Every flag, including those that set nothing, gets a `MAGEYARD_…` variable.
pub(super) fn add(command: Command) -> Command {
    let shown = [Scope::Play, Scope::Screen];
    let all = [Scope::Play, Scope::Run, Scope::Sweep, Scope::Screen];
    let config = |verb| with_flags(verb, &all, ShortHelp::None);
    let only = |names: &'static [&'static str]| {
        move |verb: Command| {
            let flags = FLAGS.iter().filter(|flag| names.contains(&flag.long));
            verb.args(flags.map(|flag| flag_arg(flag, ShortHelp::All)))
        }
    };
    let command = with_flags(command, &[Scope::Global, Scope::Play, Scope::Screen], ShortHelp::None)
        .mut_subcommand("play", |verb| with_flags(verb, &shown, ShortHelp::Common))
        .mut_subcommand("screen", |verb| with_flags(verb, &shown, ShortHelp::None))
        .mut_subcommand("run", |verb| with_flags(verb, &[Scope::Play, Scope::Run], ShortHelp::Common))
        .mut_subcommand("replay", |verb| {
            let verb = with_replacements(verb, &REPLAYED, "as recorded");
            with_flags(verb, &[Scope::Screen], ShortHelp::None)
        })
        .mut_subcommand("fork", |verb| with_replacements(verb, &FORKED, "as in the parent"))
        .mut_subcommand("ask", |verb| with_replacements(verb, &ASKED, "as recorded"))
        .mut_subcommand("blame", |verb| with_replacements(verb, &FORKED, "as recorded"))
        .mut_subcommand("view", |verb| with_flags(verb, &[Scope::Screen], ShortHelp::All))
        .mut_subcommand("tutor", |verb| with_flags(verb, &[Scope::Screen], ShortHelp::All))
        .mut_subcommand("sweep", |verb| verb.mut_subcommands(with_sweep_flags))
        .mut_subcommand("memory", |verb| {
            let playing = |verb| with_flags(verb, &[Scope::Play, Scope::Run, Scope::Sweep], ShortHelp::None);
            verb.mut_subcommand("confirm", playing)
        })
        .mut_subcommand("prompts", |verb| verb.mut_subcommand("show", only(&["setting", "max-steps"])))
        .mut_subcommand("readers", |verb| verb.mut_subcommand("try", only(&["setting"])))
        .mut_subcommand("doctor", only(&["base-url"]))
        .mut_subcommand("models", |verb| verb.mut_subcommand("save", only(&MODEL_FLAGS)))
        .mut_subcommand("config", |verb| {
            verb.mut_subcommand("print", config).mut_subcommand("check", config)
        });
    add_set(name_variables(command))
}

/// The verbs of sweeps that plan one; flags override settings in every cell.
const PLANNING: [&str; 4] = ["plan", "run", "work", "submit"];

/// The verbs of sweeps that play episodes.
const SWEEPING: [&str; 2] = ["run", "work"];

/// The verbs of sweeps that open the screen.
const SHOWING: [&str; 2] = ["run", "attach"];

/// A verb that runs a sweep has limits of its own, for all episodes together, in place of those of each episode.
fn with_sweep_flags(verb: Command) -> Command {
    let scopes = [
        (&PLANNING[..], Scope::Play),
        (&SWEEPING, Scope::Run),
        (&SWEEPING, Scope::Sweep),
        (&SHOWING, Scope::Screen),
    ];
    let own = scopes.into_iter().filter(|(verbs, _)| verbs.contains(&verb.get_name()));
    let scopes: Vec<Scope> = own.map(|(_, scope)| scope).collect();
    if scopes.is_empty() { verb } else { with_flags(verb, &scopes, ShortHelp::None) }
}

/// The setting of the flag with this name, written with dashes or underscores.
pub(super) fn setting_of(name: &str) -> Option<&'static str> {
    let long = name.replace('_', "-");
    FLAGS.iter().find(|flag| flag.long == long).map(|flag| flag.setting)
}

/// The settings that a replay can replace.
pub(super) fn replayed_settings() -> impl Iterator<Item = &'static str> {
    FLAGS.iter().filter(|flag| REPLAYED.contains(&flag.long)).map(|flag| flag.setting)
}

/// The verb with these flags, each of which replaces a value that is there already.
fn with_replacements(verb: Command, names: &[&str], value: &'static str) -> Command {
    let flags = FLAGS.iter().filter(|flag| names.contains(&flag.long));
    let arg = |flag| {
        let replaced = |text: &str| format!("{text} [default: {value}]");
        flag_arg(flag, ShortHelp::All)
            .help(replaced(flag.brief))
            .long_help(replaced(mageyard_config::setting_summary(flag.setting)))
    };
    let args: Vec<Arg> = flags.map(arg).collect();
    verb.args(args)
}

fn with_flags(command: Command, scopes: &[Scope], short: ShortHelp) -> Command {
    let own: Vec<String> =
        command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)).collect();
    let is_new = |flag: &&Flag| !own.iter().any(|long| long == flag.long);
    let flags = FLAGS.iter().filter(|flag| scopes.contains(&flag.scope)).filter(is_new);
    let switches = SWITCHES.iter().filter(|switch| scopes.contains(&switch.scope));
    command.args(flags.map(|flag| flag_arg(flag, short))).args(switches.map(switch_arg))
}

/// The global flags that short help leaves out: few people need them.
const LONG_HELP_ONLY: [&str; 2] = ["log-filter", "log-level"];

fn flag_arg(flag: &Flag, short: ShortHelp) -> Arg {
    let global = flag.scope == Scope::Global;
    let listed = match short {
        _ if global => !LONG_HELP_ONLY.contains(&flag.long),
        ShortHelp::None => false,
        ShortHelp::Common => COMMON.contains(&flag.long),
        ShortHelp::All => true,
    };
    Arg::new(flag.long)
        .long(flag.long)
        .value_name(flag.value)
        .help(with_default(flag.brief, flag.setting))
        .long_help(with_default(mageyard_config::setting_summary(flag.setting), flag.setting))
        .help_heading(if global { GLOBAL } else { SETTINGS })
        .hide_short_help(!listed)
        .allow_negative_numbers(true)
        .global(global)
}

/// A help text with the default of the setting.
fn with_default(text: &str, setting: &str) -> String {
    match mageyard_config::setting_default(setting) {
        "" => text.to_owned(),
        default => format!("{text} [default: {default}]"),
    }
}

/// The settings given by variables and flags, in increasing precedence. A settings flag in front of a verb is
/// rejected because it would have no effect.
pub(super) fn given_settings(matches: &ArgMatches) -> Result<Vec<SettingOverride>, Problem> {
    if let Some(verb) = matches.subcommand_name() {
        let lost = FLAGS.iter().filter(|flag| flag.scope != Scope::Global);
        let lost = lost
            .map(|flag| flag.long)
            .chain(SWITCHES.iter().map(|switch| switch.long))
            .chain(["resume"])
            .find(|long| value_source(matches, long) == Some(ValueSource::CommandLine));
        if let Some(long) = lost {
            return Err(Problem::new(format!("--{long} has no effect in front of the verb"))
                .with_help(format!("put it after the verb: mageyard {verb} ... --{long} ...")));
        }
    }
    let innermost = innermost(matches);
    let of = |wanted| FLAGS.iter().filter_map(move |flag| given_setting(innermost, flag, wanted));
    let further = OTHER_VARIABLES.iter().filter_map(|row| other_variable(innermost, row).transpose());
    let further = further.collect::<Result<Vec<_>, _>>()?;
    let switched =
        |wanted| SWITCHES.iter().filter_map(move |switch| switched_setting(innermost, switch, wanted));
    let variables = of(ValueSource::EnvVariable).chain(switched(ValueSource::EnvVariable));
    let flags = of(ValueSource::CommandLine).chain(switched(ValueSource::CommandLine));
    let mut given: Vec<_> = further.into_iter().chain(variables).chain(flags).collect();
    add_assignments(matches, &setting_of, &mut given)?;
    mageyard_config::refuse_repeated(&given)?;
    Ok(given)
}

fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, below)| innermost(below))
}

fn given_setting(matches: &ArgMatches, flag: &Flag, wanted: ValueSource) -> Option<SettingOverride> {
    if value_source(matches, flag.long) != Some(wanted) {
        return None;
    }
    let text = matches.try_get_one::<String>(flag.long).ok().flatten()?;
    Some(SettingOverride::new(flag.setting, text, origin(flag.long, wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_sets_a_setting_that_exists() {
        for flag in &FLAGS {
            assert!(
                !mageyard_config::setting_summary(flag.setting).is_empty(),
                "--{} has no setting",
                flag.long
            );
        }
    }
}
