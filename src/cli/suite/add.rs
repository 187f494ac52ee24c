//! `suite add`: more states for a suite of the user, which is created if there is none.

use mageyard_study::add_to_suite;

use super::records::SuiteRecord;
use super::steps::StepArgs;
use crate::context::Context;
use crate::diagnostics::print_message;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::runtime::single_thread_runtime;
use mageyard_study::ExtendedSuite;

/// Add recorded steps to a suite of your own, or begin one
///
/// The file keeps what it has, with its comments; the new states follow below. A step that is in the suite already is left
/// out. A shipped suite stays as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of the suite: letters, digits, `-`, `_` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    steps: StepArgs,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let (steps, exit) = single_thread_runtime()?.block_on(args.steps.steps(context, &config))?;
    let adding = add_to_suite(&context.lab, &args.name, args.steps.category.as_deref(), &steps, &config);
    print(args, &single_thread_runtime()?.block_on(adding)?)?;
    Ok(exit)
}

fn print(args: &Args, extended: &ExtendedSuite) -> Result<(), Failure> {
    let ExtendedSuite { path, suite, added, left_out } = extended;
    let mut out = Output::open();
    if args.json {
        return Ok(out.record(&SuiteRecord::new(suite, path, *added, left_out))?);
    }
    for why in left_out {
        print_message(&format!("left out: {why}"));
    }
    Ok(out.line(extended.summary())?)
}
