//! `view`: the screen, on recorded episodes.

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::logfile;

/// Open the screen on a recorded episode
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A session: its name in the store or its folder; #STEP opens it at that step
    #[arg(value_name = "RUN[#STEP]")]
    pub(super) run: String,
    /// Show new steps while they are being written
    #[arg(long)]
    pub(super) follow: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    logfile::start(house)?;
    Err(Failure::running(format!("view is not wired yet: {} {}", args.run, args.follow)))
}
