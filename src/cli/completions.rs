//! `completions`: completion scripts for shells.

use clap::Command;
use clap_complete::Shell;

use super::exit::{Exit, Failure};
use super::output::Output;

/// Print the completion script for a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell to complete for
    shell: Shell,
}

pub(super) fn run(args: &Args, mut whole: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole, "mageyard", &mut script);
    Output::open().raw(&script)?;
    Ok(Exit::Done)
}
