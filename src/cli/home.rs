//! `home`: the screen on home, which is the default.

use super::context::Context;
use super::exit::{Exit, Failure};
use super::logfile;

/// Open the screen on home (the default command)
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    context.screen.home(context, context.config()?)
}
