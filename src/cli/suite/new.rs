//! `suite new`: a suite from recorded steps.

use mageyard_study::collect_suite;
use std::path::PathBuf;

use super::records::SuiteRecord;
use super::steps::StepArgs;
use crate::context::Context;
use crate::diagnostics::print_message;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::output_file;
use crate::runtime::single_thread_runtime;
use mageyard_config::Problem;
use mageyard_study::{CollectedSuite, checked_suite_name};

/// Make a suite from recorded steps
///
/// With --find or --tag the steps are searched in the sessions, or in all. Without them each step is named, such as
/// last#7. Where the environment can repeat the actions that lead to a state, they are in the file, so that the suite also
/// works where the recordings are absent; the outputs that a model remembers are then the actions alone.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of the suite: letters, digits, `-`, `_` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    steps: StepArgs,
    /// What the suite is for, in a sentence
    #[arg(long, value_name = "TEXT", default_value = "")]
    about: String,
    /// Write to this file [default: suites/NAME.toml in the config folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let name = checked_suite_name(&args.name).map_err(Problem::new)?;
    let path = args.out.clone().unwrap_or_else(|| context.folders().suites().join(format!("{name}.toml")));
    if args.out.is_none() {
        std::fs::create_dir_all(context.folders().suites()).map_err(|error| {
            Failure::running(format!("{}: the suite cannot be written: {error}", path.display()))
        })?;
    }
    output_file::check_writable(&path, args.force)?;
    let (steps, exit) = single_thread_runtime()?.block_on(args.steps.steps(context, &config))?;
    let collecting =
        collect_suite(&context.lab, (&name, &args.about), args.steps.category.as_deref(), &steps, &config);
    let collected = single_thread_runtime()?.block_on(collecting)?;
    output_file::write(&path, collected.suite.to_text().as_bytes(), args.force)?;
    print(args, &path, &collected)?;
    Ok(exit)
}

fn print(args: &Args, path: &std::path::Path, collected: &CollectedSuite) -> Result<(), Failure> {
    let CollectedSuite { suite, left_out } = collected;
    let recorded_only = suite.states.iter().filter(|state| state.actions.is_none()).count();
    let mut out = Output::open();
    if args.json {
        return Ok(out.record(&SuiteRecord::new(suite, path, suite.states.len(), left_out))?);
    }
    for why in left_out {
        print_message(&format!("left out: {why}"));
    }
    out.line(format!("{}: {}", path.display(), count_noun(suite.states.len(), "state", "states")))?;
    if recorded_only > 0 {
        out.line(format!("{recorded_only} of them can only be opened where their recording is"))?;
    }
    Ok(())
}
