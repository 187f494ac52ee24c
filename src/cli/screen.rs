//! `screen`: the screen as a picture, for pages and papers.

use std::path::PathBuf;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;

/// Draw the screen of a level into an SVG file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Environment, set, level or file; the play.level setting when left out
    #[arg(value_name = "LEVEL")]
    pub(super) level: Option<String>,
    /// The file to write; standard output when left out
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Columns and rows of the screen
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40")]
    pub(super) size: String,
    /// How many steps to play before it is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) steps: u32,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let theme = &config.settings().screen.theme;
    Err(Failure::running(format!("screen is not wired yet: {args:?} {theme}")))
}
