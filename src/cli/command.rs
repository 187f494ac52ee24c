//! The complete command line: the verbs, one file each, and the global options.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::context::Context;
use super::exit::{Exit, Failure};
use super::verb::{self, Verb};
use super::{
    ask, bench, blame, check, completions, config, diff, doctor, export, find, flag_values, flags, fork,
    frame, help, home, keys, levels, log, man, memory, models, play, prompts, readers, rejudge, reparse,
    replay, report, run, schema, screen, set_flag, sight, suite, sweep, tag, themes, tutor, user_file, view,
};
use mageyard_domain::{EnvironmentSpec, Prices};

/// A terminal playground for multimodal agents
#[derive(Debug, Parser)]
#[command(name = "mageyard", version, max_term_width = 100)]
#[command(
    after_long_help = "Without a command, mageyard opens home; with settings of an episode it opens the screen as \
    `mageyard play` does. Settings flags override config.toml (`mageyard config print` shows the values). Each flag \
    has a variable: --max-steps is MAGEYARD_MAX_STEPS."
)]
pub(super) struct CommandLine {
    /// Read this settings file instead of your own
    #[arg(long, global = true, value_name = "FILE", help_heading = flag_values::GLOBAL, hide_short_help = true)]
    pub(super) config: Option<PathBuf>,
    /// Resume an unfinished session: its name or `last`
    #[arg(long, value_name = "SESSION", hide_short_help = true)]
    resume: Option<String>,
}

/// The flags that are not about an episode, so that home opens with them.
const OF_HOME: [&str; 2] = ["config", "store"];

/// Whether this flag sets only the screen, so that home opens with it.
fn is_of_screen(matches: &ArgMatches, id: &str) -> bool {
    let of_screen = |setting: &str| setting.starts_with("screen.");
    match set_flag::assignments(matches, id) {
        Some(assignments) => assignments.iter().all(|text| of_screen(text)),
        None => flags::setting_of(id).is_some_and(of_screen),
    }
}

impl CommandLine {
    /// The given verb of this crate. Without one it is home, and `play` if a setting of an episode is given.
    pub(super) fn verb(self, matches: &ArgMatches) -> Result<OwnVerb, clap::Error> {
        if matches.subcommand_name().is_some() {
            return OwnVerb::from_arg_matches(matches);
        }
        let is_given = |id: &clap::Id| {
            let source = matches.value_source(id.as_str());
            source == Some(clap::parser::ValueSource::CommandLine)
                && !OF_HOME.contains(&id.as_str())
                && !is_of_screen(matches, id.as_str())
        };
        if !matches.ids().any(is_given) {
            return Ok(OwnVerb::Home(home::Args {}));
        }
        Ok(OwnVerb::Play(play::Args { level: None, resume: self.resume, record_http: None }))
    }
}

/// The verbs of this crate. [`Verb`] is for those that the program adds.
#[derive(Debug, Subcommand)]
pub(super) enum OwnVerb {
    Home(home::Args),
    Play(play::Args),
    Run(run::Args),
    Replay(replay::Args),
    Fork(fork::Args),
    Ask(ask::Args),
    Blame(blame::Args),
    Probe(sight::ProbeVerb),
    Diagnose(sight::DiagnoseVerb),
    Diff(diff::Args),
    Report(report::Args),
    #[command(subcommand)]
    Sweep(sweep::Verb),
    View(view::Args),
    Find(find::Args),
    Tag(tag::Args),
    #[command(subcommand)]
    Suite(suite::Verb),
    #[command(subcommand)]
    Memory(memory::Verb),
    Reparse(reparse::Args),
    Rejudge(rejudge::Args),
    Export(export::Args),
    #[command(subcommand)]
    Levels(levels::Verb),
    #[command(subcommand)]
    Prompts(prompts::Verb),
    #[command(subcommand)]
    Models(models::Verb),
    /// List and check model prices
    #[command(subcommand)]
    Prices(user_file::Verb),
    Frame(frame::Args),
    Readers(readers::Args),
    Themes(themes::Args),
    Keys(keys::Args),
    Tutor(tutor::Args),
    #[command(subcommand)]
    Config(config::Verb),
    #[command(subcommand)]
    Log(log::Verb),
    #[command(subcommand)]
    Bench(bench::Verb),
    Doctor(doctor::Args),
    Check(check::Args),
    Schema(schema::Args),
    Screen(screen::Args),
    Completions(completions::Args),
    Man(man::Args),
    Help(help::Args),
}

impl OwnVerb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Home(_) => home::run(context),
            Self::Play(args) => play::run(&args, context),
            Self::Run(args) => run::run(&args, context),
            Self::Replay(args) => replay::run(&args, context),
            Self::Fork(args) => fork::run(&args, context),
            Self::Ask(args) => ask::run(&args, context),
            Self::Blame(args) => blame::run(&args, context),
            Self::Probe(args) => sight::probe(&args, context),
            Self::Diagnose(args) => sight::diagnose(&args, context),
            Self::Diff(args) => diff::run(&args, context),
            Self::Report(args) => report::run(&args, context),
            Self::Sweep(verb) => verb.run(context),
            Self::View(args) => view::run(&args, context),
            Self::Find(args) => find::run(&args, context),
            Self::Tag(args) => tag::run(&args, context),
            Self::Suite(verb) => verb.run(context),
            Self::Memory(verb) => verb.run(context),
            Self::Reparse(args) => reparse::run(&args, context),
            Self::Rejudge(args) => rejudge::run(&args, context),
            Self::Export(args) => export::run(&args, context),
            Self::Levels(verb) => verb.run(context),
            Self::Prompts(verb) => verb.run(context),
            Self::Models(verb) => verb.run(context),
            Self::Prices(verb) => verb.run::<Prices>(context),
            Self::Frame(args) => frame::run(&args, context),
            Self::Readers(args) => readers::run(&args, context),
            Self::Themes(args) => themes::run(&args, context),
            Self::Keys(args) => context.screen.keys(&args, context),
            Self::Tutor(args) => context.screen.tutor(&args, context),
            Self::Config(verb) => verb.run(context),
            Self::Log(verb) => log::run(&verb, context),
            Self::Bench(verb) => verb.run(context),
            Self::Doctor(args) => doctor::run(&args, context),
            Self::Check(args) => check::run(&args, context),
            Self::Schema(args) => schema::run(&args),
            Self::Screen(args) => screen::run(&args, context),
            Self::Completions(args) => completions::run(&args, context.command()),
            Self::Man(_) => man::run(context.command()),
            Self::Help(args) => Ok(help::run(&args, context.command())),
        }
    }
}

/// The complete command with what these environments and added verbs offer, used for parsing, completions and the manual.
pub(super) fn command(
    environments: &[&'static dyn EnvironmentSpec],
    verbs: &[&'static dyn Verb],
) -> clap::Command {
    // The short help fits one screen, so it leaves out the flag that every program has.
    let version = Arg::new("version").short('V').long("version").help("Print version");
    let version = version.action(ArgAction::Version).hide_short_help(true);
    let own = OwnVerb::augment_subcommands(clap::Command::new("verbs"));
    let own = own.get_subcommands().cloned().collect();
    let command = CommandLine::command().subcommands(verb::insert(own, verbs));
    let command = command.disable_version_flag(true).disable_help_subcommand(true);
    let help = Arg::new("help").short('h').long("help").help("Print help (see more with '--help')");
    let help = help.long_help("Print help (see a summary with '-h')").help_heading(flag_values::GLOBAL);
    let command = command.disable_help_flag(true).arg(help.action(ArgAction::Help).global(true));
    let command = command.arg(version);
    let command = export::add_formats(levels::add(command, environments), environments);
    flags::add(bench::add(command, environments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verb_groups::grouped;
    use mageyard_envs::environments;

    #[test]
    fn the_command_line_is_valid() {
        command(environments(), &[]).debug_assert();
    }

    #[test]
    fn the_short_help_fits_40_lines_of_80_columns() {
        let help = |path: &[&str]| {
            let args = ["mageyard"].iter().chain(path).chain(&["-h"]);
            grouped(command(environments(), &[]))
                .term_width(80)
                .try_get_matches_from(args)
                .unwrap_err()
                .to_string()
        };
        for path in
            [&[][..], &["play"], &["run"], &["view"], &["replay"], &["report"], &["screen"], &["levels"]]
        {
            let shown = help(path);
            assert!(shown.lines().count() <= 40, "{path:?}: {}\n{shown}", shown.lines().count());
            assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        }
        let short = help(&[]);
        let run = help(&["run"]);
        let place =
            |text: &str, part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}"));
        assert!(place(&short, "Play:") < place(&short, "Set up:"), "{short}");
        assert!(place(&short, "Set up:") < place(&short, "Global options:"), "{short}");
        assert!(!short.contains("--agent"), "{short}");
        assert!(place(&run, "Options:") < place(&run, "Settings:"), "{run}");
        assert!(place(&run, "Settings:") < place(&run, "Global options:"), "{run}");
        assert!(run.contains("[default: 50]") && !run.contains("--cost-limit"), "{run}");
        let long = grouped(command(environments(), &[])).render_long_help().to_string();
        assert!(long.contains("--cost-limit") && place(&long, "Play:") < place(&long, "Settings:"), "{long}");
    }

    #[test]
    fn every_verb_and_flag_has_a_one_line_help() {
        fn check(command: &clap::Command) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!((10..=80).contains(&about.len()), "{}: {about:?}", command.get_name());
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&command(environments(), &[]));
    }
}
