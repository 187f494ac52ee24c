//! `bench`: how fast this machine runs what experiments and training depend on, for each environment.

mod clock;
mod engines;
mod environment;
mod generation;
mod levels;
mod machine;
mod rates;
mod solve_times;

use clap::{ArgMatches, Command, FromArgMatches};
use mageyard_lab::known_environment;

use self::environment::Args;
use super::context::Context;
use super::exit::{Exit, Failure};
use mageyard_domain::EnvironmentSpec;

/// The name of the verb.
const BENCH: &str = "bench";

/// Measure the speed of an environment on this machine
#[derive(Debug)]
pub(super) struct Verb {
    /// The name of the environment.
    environment: String,
    args: Args,
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let spec = known_environment(&context.lab, &self.environment)?;
        environment::run(spec, &self.args, context)
    }
}

/// Adds a verb for each of these environments that can be measured.
pub(super) fn add(command: Command, environments: &[&'static dyn EnvironmentSpec]) -> Command {
    let verbs: Vec<Command> = environments.iter().filter_map(|spec| environment::command(*spec)).collect();
    command.mut_subcommand(BENCH, |bench| bench.subcommands(verbs))
}

impl FromArgMatches for Verb {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, below) = matches.subcommand().ok_or_else(missing)?;
        Ok(Self { environment: name.to_owned(), args: Args::from_arg_matches(below)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds nothing: [`add`] knows the environments.
impl clap::Subcommand for Verb {
    fn augment_subcommands(command: Command) -> Command {
        command.about("Measure the speed of an environment on this machine").subcommand_required(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        command
    }

    fn has_subcommand(_: &str) -> bool {
        true
    }
}
