//! `levels check`: validates level files.

use crate::cli::check::check_levels_open;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::finding::Finding;
use crate::cli::finding::print_findings;

/// Validate level files and report every mistake with its line
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
    let check = |file: &String| match context.lab.file_errors(context.folders(), file) {
        errors if errors.is_empty() => {
            let checked = context
                .lab
                .source(context.folders(), file)
                .and_then(|found| check_levels_open(&found.0, &config));
            vec![Finding::of(file, checked)]
        }
        errors => errors.into_iter().map(|error| Finding::fail(file, error)).collect(),
    };
    let findings: Vec<_> = args.files.iter().flat_map(check).collect();
    print_findings(&findings, args.json)
}
