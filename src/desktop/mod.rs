//! `desktop`: tools for tasks on a computer, beside episodes. One file for each verb below it.

mod check;
mod eval;
mod trial;

use clap::{ArgMatches, Command, FromArgMatches};

use mageyard_cli::{Context, Exit, Failure, Verb};
use mageyard_config::Problem;

/// The verb `desktop`.
pub(crate) struct Desktop;

impl Verb for Desktop {
    fn command(&self) -> Command {
        <Args as clap::Args>::augment_args(Command::new("desktop"))
    }

    fn follows(&self) -> Option<&'static str> {
        Some("web")
    }

    fn run(&self, matches: &ArgMatches, _: &Context) -> Result<Exit, Failure> {
        let args = Args::from_arg_matches(matches).map_err(|error| Problem::new(error.to_string()))?;
        match args.verb {
            DesktopVerb::Check(args) => check::run(&args),
            DesktopVerb::Eval(args) => eval::run(&args),
            DesktopVerb::Try(args) => trial::run(&args),
        }
    }
}

/// Check task files; judge a folder without an agent; do a task yourself
#[derive(Debug, clap::Args)]
struct Args {
    #[command(subcommand)]
    verb: DesktopVerb,
}

#[derive(Debug, clap::Subcommand)]
enum DesktopVerb {
    Check(check::Args),
    Eval(eval::Args),
    Try(trial::Args),
}
