//! `levels check`: whether every level of a file opens.

use crate::cli::check::opens;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::finding::Finding;
use crate::cli::finding::report;
use crate::cli::house::House;
use crate::cli::reference::source;

/// Say whether level files are right, and where they are not
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Level files or sets
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let check = |file: &String| opens(&source(house.folders(), file)?.0, &config);
    let findings: Vec<_> = args.files.iter().map(|file| Finding::of(file, check(file))).collect();
    report(&findings, args.json)
}
