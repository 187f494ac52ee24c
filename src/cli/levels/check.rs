//! `levels check`: validates level files.

use mageyard_lab::{LevelList, check_levels, level_file_errors, level_source};
use tokio::runtime::Runtime;

use crate::check::check_levels_open;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::finding::{Finding, print_findings};
use crate::runtime::parallel_runtime;
use mageyard_config::Config;

/// Validate level files and report every mistake with its line
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level files or sets
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let runtime = parallel_runtime()?;
    let mut findings = Vec::new();
    for file in &args.files {
        match level_file_errors(&context.lab, context.folders(), file) {
            errors if errors.is_empty() => findings.extend(check_source(file, context, &config, &runtime)),
            errors => {
                findings.extend(errors.into_iter().map(|error| Finding::fail(file, error)));
                // Of records those are checked that can be read.
                if level_source(&context.lab, context.folders(), file).is_ok() {
                    findings.extend(check_source(file, context, &config, &runtime));
                }
            }
        }
    }
    print_findings(&findings, args.json)
}

/// Checks that all levels open, and what their environment checks beyond their text.
fn check_source(file: &str, context: &Context, config: &Config, runtime: &Runtime) -> Vec<Finding> {
    let source = match level_source(&context.lab, context.folders(), file) {
        Ok((source, _)) => source,
        Err(problem) => return vec![Finding::fail(file, problem)],
    };
    let count = match check_levels_open(&source, config) {
        Ok(count) => count,
        Err(problem) => return vec![Finding::fail(file, problem)],
    };
    let mut findings: Vec<Finding> =
        summary(&source).map(|summary| Finding::ok(file, summary)).into_iter().collect();
    match runtime.block_on(check_levels(&context.lab, &source, config)) {
        None => findings.push(Finding::ok(file, count)),
        Some(Ok(faults)) if faults.is_empty() => {
            findings.push(Finding::ok(file, format!("{count}, also when played")));
        }
        Some(Ok(faults)) => findings.extend(faults.into_iter().map(|fault| Finding::fail(file, fault))),
        Some(Err(error)) => {
            let detail = format!("{count} can be read; not checked further: {error}");
            findings.push(Finding::warn(file, detail, "`mageyard doctor` says what is missing"));
        }
    }
    findings
}

/// What the environment counts over the levels.
fn summary(source: &LevelList) -> Option<String> {
    let check = source.spec.capabilities().files.check?;
    let levels = source.all().ok()?.levels;
    check.summary(&levels.iter().map(|one| &one.level).collect::<Vec<_>>())
}
