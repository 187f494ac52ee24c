//! `man`: the manual pages of all verbs in one stream.

use std::io;

use clap::Command;
use clap_mangen::Man;

use super::exit::{Exit, Failure};
use super::output::Output;

/// Print the manual pages in roff
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(whole: Command) -> Result<Exit, Failure> {
    let mut whole = whole.disable_help_subcommand(true);
    whole.build();
    let mut pages = Vec::new();
    write(&whole, &mut pages)?;
    Output::open().raw(&pages)?;
    Ok(Exit::Done)
}

fn write(command: &Command, pages: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-");
    Man::new(command.clone().name(name)).render(pages)?;
    command.get_subcommands().try_for_each(|verb| write(verb, pages))
}
