//! `help`: the complete help of a verb. The help of the program does not list it, because it says `--help` already.

use super::exit::Exit;
use super::print_parse_result;
use super::verb_groups::grouped;

/// Print the complete help of the program or of a verb
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub(super) struct Args {
    /// The verb, such as `run` or `levels solve`
    #[arg(value_name = "COMMAND")]
    verb: Vec<String>,
}

pub(super) fn run(args: &Args, command: clap::Command) -> Exit {
    let name = command.get_name().to_owned();
    let line = std::iter::once(name).chain(args.verb.iter().cloned()).chain(["--help".to_owned()]);
    grouped(command).try_get_matches_from(line).map_or_else(|help| print_parse_result(&help), |_| Exit::Done)
}
