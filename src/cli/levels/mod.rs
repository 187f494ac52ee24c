//! `levels`: level sets and files.

mod check;
mod export;
mod file_formats;
mod generate;
mod import;
mod list;
mod records;
mod show;
mod solve;
mod stats;
mod trace;

pub(super) use self::generate::GroupRow;
pub(super) use self::import::{CheckoutLevelRecord, MissingSetRecord, RefusedLevelRecord};
pub(super) use self::records::{LevelRecord, SetRecord};
pub(super) use self::solve::{SolutionCheck, SolveResult};
pub(super) use self::stats::StatsRecord;
pub(super) use self::trace::TracedStep;

use clap::Command;

use super::context::Context;
use super::exit::{Exit, Failure};
use mageyard_domain::EnvironmentSpec;

/// List, show, solve, generate, import and export levels
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    List(list::Args),
    Show(show::Args),
    Solve(solve::Args),
    Stats(stats::Args),
    Trace(trace::Args),
    Check(check::Args),
    Generate(generate::Args),
    Import(import::Args),
    Export(export::Args),
}

/// Adds what these environments offer to the verbs: kinds of levels, objectives of solvers and file formats.
pub(super) fn add(command: Command, environments: &[&'static dyn EnvironmentSpec]) -> Command {
    let readable = file_formats::list(environments, |_| true);
    let writable = file_formats::list(environments, |format| format.write.is_some());
    command.mut_subcommand("levels", |levels| {
        levels
            .mut_subcommand("generate", |verb| generate::add_flags(verb, environments))
            .mut_subcommand("solve", |verb| solve::add_objectives(verb, environments))
            .mut_subcommand("import", |verb| verb.after_long_help(readable))
            .mut_subcommand("export", |verb| verb.after_long_help(writable))
    })
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list::run(&args, context),
            Self::Show(args) => show::run(&args, context),
            Self::Solve(args) => solve::run(&args, context),
            Self::Stats(args) => stats::run(&args, context),
            Self::Trace(args) => trace::run(&args, context),
            Self::Check(args) => check::run(&args, context),
            Self::Generate(args) => generate::run(&args, context),
            Self::Import(args) => import::run(&args, context),
            Self::Export(args) => export::run(&args, context),
        }
    }
}
