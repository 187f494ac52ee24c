//! `ask --to-end`: each variant plays on from the step to the end, in branches of the episode.

use mageyard_study::plan_continuations;
use std::path::Path;

use super::Args;
use crate::context::Context;
use crate::continuations::Continuations;
use crate::exit::{Exit, Failure};
use crate::runtime::parallel_runtime;
use crate::session::kept_flags;
use mageyard_config::Config;
use mageyard_study::ContinuationRequest;

pub(super) fn run(
    args: &Args,
    (step, samples): (u32, u32),
    context: &Context,
    (run, journal): (&str, &Path),
) -> Result<Exit, Failure> {
    let config = context.config()?;
    let request = ContinuationRequest {
        step,
        prompts: args.prompts.clone(),
        am: args.am.clone(),
        om: args.om.clone(),
        models: args.models.clone(),
        samples,
        seed: args.seed,
        given: kept_flags(context),
        allow_unsafe: args.allow_unsafe,
    };
    parallel_runtime()?.block_on(play_on(args, &request, (context, &config), (run, journal)))
}

async fn play_on(
    args: &Args,
    request: &ContinuationRequest,
    (context, config): (&Context, &Config),
    (run, journal): (&str, &Path),
) -> Result<Exit, Failure> {
    let jobs = args.concurrency.map_or(config.settings().run.jobs, usize::from);
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
