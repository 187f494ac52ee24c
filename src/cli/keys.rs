//! `keys`: every command with its keys.

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;

/// List every command of the screen with its keys
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one object a line
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let file = house.folders().keys_file();
    Err(Failure::running(format!("keys is not wired yet: {} {}", file.display(), args.json)))
}
