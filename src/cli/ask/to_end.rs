//! `ask --to-end`: each variant plays on from the step to the end, in branches of the episode.

use mageyard_study::plan_continuations;
use std::path::Path;

use super::Args;
use crate::context::Context;
use crate::continuations::Continuations;
use crate::exit::{Exit, Failure};
use crate::runtime::parallel_runtime;
use mageyard_config::Config;
use mageyard_study::ContinuationRequest;

pub(super) fn run(
    args: &Args,
    request: &ContinuationRequest,
    context: &Context,
    (run, journal): (&str, &Path),
) -> Result<Exit, Failure> {
    let config = context.config()?;
    parallel_runtime()?.block_on(play_on(args, request, (context, &config), (run, journal)))
}

async fn play_on(
    args: &Args,
    request: &ContinuationRequest,
    (context, config): (&Context, &Config),
    (run, journal): (&str, &Path),
) -> Result<Exit, Failure> {
    let jobs = args.asked.concurrency.map_or(config.settings().run.jobs, usize::from);
    let plan = plan_continuations(&context.lab, journal, request, config).await?;
    let mut shown = Continuations::new(context, config, args.json, jobs);
    shown.print_plan(run, &plan)?;
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let played = shown.play(&plan).await?;
    shown.print_table(run, &plan, &played.outcome)?;
    played.exit()
}
