//! `sweep attach`: the dashboard of a sweep that is finished or that other processes run, read only.

use crate::context::Context;
use crate::exit::{Exit, Failure};

/// Show the dashboard of a sweep that is finished or that other processes run
///
/// It opens on the map of AM and OM; Enter opens a cell, and then one of its episodes step by step, while they are played
/// or afterwards. It only reads: quitting stops nothing. `mageyard view SWEEP` does the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a sweep in the store, or its folder
    #[arg(value_name = "SWEEP")]
    sweep: String,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    context.screen.attach(&args.sweep, context, &context.config()?)
}
