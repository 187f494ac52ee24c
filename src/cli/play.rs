//! `play`: the screen, on a level.

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::logfile;

/// Open the screen on a level
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Environment, set, level or file; the play.level setting when left out
    #[arg(value_name = "LEVEL")]
    pub(super) level: Option<String>,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    logfile::start(house)?;
    let config = house.config()?;
    let reference = args.level.as_ref().unwrap_or(&config.settings().play.level);
    let chosen = super::reference::level(house.folders(), reference)?;
    Err(Failure::running(format!("play is not wired yet: {}", chosen.reference)))
}
