//! `levels check`: validates level files.

use crate::cli::check::check_levels_open;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::finding::Finding;
use crate::cli::finding::print_findings;
use crate::cli::level_ref::source;

/// Validate level files and report mistakes with their lines
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Level files or sets
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let check = |file: &String| check_levels_open(&source(context.folders(), file)?.0, &config);
    let findings: Vec<_> = args.files.iter().map(|file| Finding::of(file, check(file))).collect();
    print_findings(&findings, args.json)
}
