//! Flags that set a setting for one run. One row a flag; the help is the setting's own comment.

use std::collections::BTreeSet;

use clap::Arg;
use clap::ArgAction;
use clap::ArgMatches;
use clap::Command;
use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;

use super::doctor::PROBE;
use crate::config;
use crate::config::Given;
use crate::config::Origin;
use crate::config::Problem;
use crate::domain::nearest;

struct Flag {
    long: &'static str,
    setting: &'static str,
    value: &'static str,
    sort: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Everywhere,
    Play,
    Screen,
}

#[rustfmt::skip]
const FLAGS: [Flag; 22] = [
    Flag { long: "agent", setting: "play.agent", value: "NAME", sort: Sort::Play },
    Flag { long: "from", setting: "play.from", value: "RUN", sort: Sort::Play },
    Flag { long: "model", setting: "model.name", value: "NAME", sort: Sort::Play },
    Flag { long: "base-url", setting: "model.base_url", value: "URL", sort: Sort::Play },
    Flag { long: "max-retries", setting: "model.max_retries", value: "N", sort: Sort::Play },
    Flag { long: "temperature", setting: "model.temperature", value: "N", sort: Sort::Play },
    Flag { long: "prompt", setting: "play.prompt", value: "NAME", sort: Sort::Play },
    Flag { long: "setting", setting: "play.setting", value: "SETTING", sort: Sort::Play },
    Flag { long: "reader", setting: "play.reader", value: "NAME", sort: Sort::Play },
    Flag { long: "am", setting: "memory.am", value: "N", sort: Sort::Play },
    Flag { long: "om", setting: "memory.om", value: "N", sort: Sort::Play },
    Flag { long: "seed", setting: "play.seed", value: "N", sort: Sort::Play },
    Flag { long: "max-steps", setting: "play.max_steps", value: "N", sort: Sort::Play },
    Flag { long: "max-time", setting: "play.max_time", value: "SECONDS", sort: Sort::Play },
    Flag { long: "on-unreadable", setting: "play.on_unreadable", value: "WHAT", sort: Sort::Play },
    Flag { long: "on-repeating", setting: "play.on_repeating", value: "WHAT", sort: Sort::Play },
    Flag { long: "max-tokens", setting: "play.max_tokens", value: "N", sort: Sort::Play },
    Flag { long: "cost-limit", setting: "play.cost_limit", value: "AMOUNT", sort: Sort::Play },
    Flag { long: "theme", setting: "screen.theme", value: "NAME", sort: Sort::Screen },
    Flag { long: "pace", setting: "screen.pace", value: "MS", sort: Sort::Screen },
    Flag { long: "store", setting: "store.folder", value: "DIR", sort: Sort::Everywhere },
    Flag { long: "log-level", setting: "log.level", value: "LEVEL", sort: Sort::Everywhere },
];

/// What every variable of the program begins with.
const PREFIX: &str = "MAGEYARD_";

/// The command with its flags: `--store` and `--log-level` for all verbs, the others for those
/// that play or show. Every flag, also one that sets nothing, gets its `MAGEYARD_…` variable.
pub(super) fn add(command: Command) -> Command {
    let command = with(command, &[Sort::Everywhere, Sort::Play, Sort::Screen])
        .mut_subcommand("play", |verb| with(verb, &[Sort::Play, Sort::Screen]))
        .mut_subcommand("screen", |verb| with(verb, &[Sort::Play, Sort::Screen]))
        .mut_subcommand("run", |verb| with(verb, &[Sort::Play]))
        .mut_subcommand("view", |verb| with(verb, &[Sort::Screen]))
        .mut_subcommand("prompts", |verb| {
            verb.mut_subcommand("show", |verb| verb.args(FLAGS.iter().filter(|flag| fills(flag)).map(arg)))
        })
        .mut_subcommand("doctor", |verb| {
            verb.args(FLAGS.iter().filter(|flag| flag.long == "base-url").map(arg))
        })
        .mut_subcommand("config", |verb| {
            verb.mut_subcommand("print", |verb| with(verb, &[Sort::Play, Sort::Screen]))
                .mut_subcommand("check", |verb| with(verb, &[Sort::Play, Sort::Screen]))
        });
    name_variables(command)
}

/// Whether a setting changes how a prompt is filled in.
fn fills(flag: &Flag) -> bool {
    ["play.setting", "play.max_steps"].contains(&flag.setting)
}

fn with(command: Command, sorts: &[Sort]) -> Command {
    command.args(FLAGS.iter().filter(|flag| sorts.contains(&flag.sort)).map(arg))
}

fn arg(flag: &Flag) -> Arg {
    let everywhere = flag.sort == Sort::Everywhere;
    let heading = if everywhere { "Everywhere" } else { "Settings for this run" };
    Arg::new(flag.long)
        .long(flag.long)
        .value_name(flag.value)
        .help(config::about(flag.setting))
        .help_heading(heading)
        .allow_negative_numbers(true)
        .global(everywhere)
}

fn name_variables(command: Command) -> Command {
    let named = command.mut_args(|arg| match (arg.get_long().map(variable), arg.get_action()) {
        (Some(name), ArgAction::SetTrue) => {
            arg.env(name).hide_env(true).value_parser(BoolishValueParser::new())
        }
        (Some(_), _) if arg.get_id() == PROBE => arg,
        (Some(name), _) => arg.env(name).hide_env(true),
        (None, _) => arg,
    });
    named.mut_subcommands(name_variables)
}

fn variable(long: &str) -> String {
    format!("{PREFIX}{}", long.replace('-', "_").to_uppercase())
}

/// Refuses a variable that is none of the command's: a misspelt one would set nothing, unnoticed.
pub(super) fn known(command: &Command) -> Result<(), Problem> {
    let names = variables(command);
    let stranger = std::env::vars_os()
        .filter_map(|(name, _)| name.to_string_lossy().strip_prefix(PREFIX).map(str::to_owned))
        .find(|name| !names.contains(name));
    let Some(stranger) = stranger else { return Ok(()) };
    let near = nearest(&stranger, names.iter().map(String::as_str));
    let near: Vec<_> = near.iter().map(|name| format!("{PREFIX}{name}")).collect();
    let problem = Problem::new(format!("there is no variable {PREFIX}{stranger}"));
    Err(problem.help(match near.as_slice() {
        [] => format!("each flag has one: --max-steps is {PREFIX}MAX_STEPS; unset this one"),
        near => format!("did you mean {}?", near.join(" or ")),
    }))
}

/// The variables of the command and of everything below it, without their beginning.
fn variables(command: &Command) -> BTreeSet<String> {
    let of = |arg: &Arg| arg.get_env()?.to_str()?.strip_prefix(PREFIX).map(str::to_owned);
    let own = command.get_arguments().filter_map(of);
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// What flags and variables set, weakest first. A play flag in front of a verb is refused: it
/// would be lost.
pub(super) fn given(matches: &ArgMatches) -> Result<Vec<Given>, Problem> {
    if let Some(verb) = matches.subcommand_name() {
        let lost = FLAGS.iter().filter(|flag| flag.sort != Sort::Everywhere);
        let lost = lost
            .map(|flag| flag.long)
            .chain(["resume"])
            .find(|long| source(matches, long) == Some(ValueSource::CommandLine));
        if let Some(long) = lost {
            return Err(Problem::new(format!("--{long} stands before the verb, where it sets nothing"))
                .help(format!("write mageyard {verb} ... --{long} ...")));
        }
    }
    let innermost = innermost(matches);
    let of = |wanted| FLAGS.iter().filter_map(move |flag| read(innermost, flag, wanted));
    let customary = CUSTOMARY.iter().filter_map(|row| heard(innermost, row));
    Ok(customary.chain(of(ValueSource::EnvVariable)).chain(of(ValueSource::CommandLine)).collect())
}

/// Variables that other programs use too, weakest first: flag and variable.
const CUSTOMARY: [(&str, &str); 2] = [("base-url", "OPENAI_API_BASE"), ("base-url", "OPENAI_BASE_URL")];

/// What such a variable sets for a verb that has the flag.
fn heard(matches: &ArgMatches, (long, variable): &(&str, &str)) -> Option<Given> {
    matches.try_contains_id(long).ok()?;
    let flag = FLAGS.iter().find(|flag| flag.long == *long)?;
    let text = std::env::var(variable).ok().filter(|text| !text.is_empty())?;
    Some(Given { name: flag.setting, text, origin: Origin::Variable((*variable).to_owned()) })
}

fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, below)| innermost(below))
}

fn source(matches: &ArgMatches, long: &str) -> Option<ValueSource> {
    matches.try_contains_id(long).is_ok_and(|there| there).then(|| matches.value_source(long)).flatten()
}

fn read(matches: &ArgMatches, flag: &Flag, wanted: ValueSource) -> Option<Given> {
    if source(matches, flag.long) != Some(wanted) {
        return None;
    }
    let origin = match wanted {
        ValueSource::EnvVariable => Origin::Variable(variable(flag.long)),
        _ => Origin::Flag(format!("--{}", flag.long)),
    };
    let text = matches.try_get_one::<String>(flag.long).ok().flatten()?.clone();
    Some(Given { name: flag.setting, text, origin })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_sets_a_setting_that_exists() {
        for flag in &FLAGS {
            assert!(!config::about(flag.setting).is_empty(), "--{} sets nothing", flag.long);
        }
    }
}
