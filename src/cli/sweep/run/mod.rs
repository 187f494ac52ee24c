//! `sweep run` and `sweep work`: play the cells of a sweep.

mod cell_end_record;
mod printer;
pub mod summary;

pub(crate) use self::cell_end_record::CellEndRecord;

use mageyard_lab::read_breakpoints;
use mageyard_sweep::{
    FollowedOrders, PreparedSweep, WorkerLimits, count_spending, leave_shared_permits, lift_cancel,
    run_sweep, share_permits_of, unpriced, unpriced_model,
};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::printer::SweepPrinter;
use self::summary::StateCounts;
use super::source::SweepSource;
use crate::context::Context;
use crate::diagnostics::print_message;
use crate::episode_output::EpisodePrinter;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::runtime::{parallel_runtime, single_thread_runtime};
use crate::screen_verbs::ShownRun;
use crate::{logfile, signals};
use mageyard_config::Config;
use mageyard_domain::Amount;
use mageyard_lab::{Lab, Spending, SpendingLimits};
use mageyard_sweep::claims::State;
use mageyard_sweep::{PlannedCell, Shard, SweepEnd, SweepPlan, SweepRun, SweepRunOptions};

/// What `sweep run` and `sweep work` have in common
#[derive(Debug, clap::Args)]
struct RunArgs {
    #[command(flatten)]
    source: SweepSource,
    /// Stop when the requests of all episodes together cost this much, in the currency of the prices; exit with 4
    ///
    /// Everything that was billed counts, also for episodes that failed, in earlier runs of the sweep and in other
    /// processes that run it now. Requests of unknown cost count as an estimate. Steps that have started are finished. For a limit of each episode use `--set play.cost_limit=AMOUNT`.
    #[arg(id = "sweep_cost_limit", long = "cost-limit", value_name = "AMOUNT", value_parser = Amount::parse)]
    cost_limit: Option<Amount>,
    /// Stop when the requests of all episodes together have this many input and output tokens; exit with 4
    #[arg(id = "sweep_max_tokens", long = "max-tokens", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// Stop this process after this many seconds, when the steps that have started are finished; exit with 4
    #[arg(id = "sweep_max_time", long = "max-time", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    max_time: Option<u64>,
    /// Park an episode at a step that meets a condition, such as `ia,ra` or `ra>=3`; the others go on; exit with 3
    ///
    /// The conditions are those of `find`, with the options of `run --break`.
    #[arg(long = "break", value_name = "CONDITION")]
    breaks: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Run a sweep; the same command again completes what is missing
///
/// Cells that failed are tried again. Cells that are parked stay parked, unless --only parked continues them. Several
/// processes can run the same sweep, also on several machines with a shared folder: each cell is run by one of them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// Run only the cells that failed, or only those that are parked
    #[arg(long, value_enum, value_name = "STATE")]
    only: Option<Only>,
    /// Print a line for each cell instead of the dashboard
    #[arg(long)]
    plain: bool,
}

/// Claim and run cells of a sweep, as one of many workers
///
/// Like `sweep run`, but failed cells are left alone, so that a scheduler can start many workers at any time. A worker
/// ends when no cell is left; it takes over the cells of workers that have stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Run only one of several parts of the cells, for stores that are not shared; `sweep merge` joins them
    #[arg(long, value_name = "N/COUNT")]
    shard: Option<Shard>,
    /// End when all cells that are left belong to other workers, instead of waiting for them
    #[arg(long)]
    no_wait: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Only {
    Failed,
    Parked,
}

impl From<Only> for State {
    fn from(only: Only) -> Self {
        match only {
            Only::Failed => Self::Failed,
            Only::Parked => Self::Parked,
        }
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    let (plan, config) = args.run.source.plan(context)?;
    let mut prepared = PreparedSweep::open(plan, config, args.run.source.name(), &worker_label())?;
    match args.only {
        None => prepared.queue_all()?,
        Some(only) if requeue(&mut prepared, only)? => {}
        Some(_) => return Ok(Exit::Done),
    }
    let lifted = lift_cancel(&prepared.folder, &super::orders::person(context)).map_err(Failure::running)?;
    if let Some(given) = lifted {
        print_message(&given.message(&prepared.plan.name));
    }
    let is_linear = mageyard_terminal::surroundings::is_linear(&prepared.config);
    let screen =
        !args.plain && !args.run.json && !is_linear && mageyard_terminal::surroundings::is_terminal();
    play(&args.run, prepared, context, true, screen)
}

/// Queues the planned cells again that failed or are parked; whether there are any.
fn requeue(prepared: &mut PreparedSweep, only: Only) -> Result<bool, Failure> {
    let plan = prepared.plan.clone();
    let is_planned = |name: &str| plan.cells.iter().any(|cell| cell.name == name);
    let requeued = match only {
        Only::Parked => prepared.claims.requeue_parked(is_planned),
        Only::Failed => prepared.claims.requeue_failed(is_planned),
    };
    let requeued = requeued.map_err(Failure::running)?;
    prepared.claims.add(requeued.iter().map(String::as_str)).map_err(Failure::running)?;
    Ok(!requeued.is_empty())
}

pub(crate) fn work(args: &WorkArgs, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    let (plan, config) = args.run.source.plan(context)?;
    let mut prepared = PreparedSweep::open(plan, config, args.run.source.name(), &worker_label())?;
    let in_shard = |cell: &&PlannedCell| args.shard.is_none_or(|shard| shard.has(cell.shard_name()));
    let names: Vec<&str> =
        prepared.plan.cells.iter().filter(in_shard).map(|cell| cell.name.as_str()).collect();
    prepared.claims.add(names).map_err(Failure::running)?;
    play(&args.run, prepared, context, !args.no_wait, false)
}

/// The part of the name of a worker that says which process it is: the host and the number of the process.
pub fn worker_label() -> String {
    format!("{}-{}", rustix::system::uname().nodename().to_string_lossy(), std::process::id())
}

/// The orders for this worker, with the limits of its command line.
fn orders(args: &RunArgs, prepared: &PreparedSweep) -> Result<FollowedOrders, Failure> {
    let limits = WorkerLimits {
        jobs: prepared.config.settings().run.jobs,
        max_connections: None,
        cost: args.cost_limit,
        tokens: args.max_tokens,
        time: args.max_time.map(Duration::from_secs),
    };
    FollowedOrders::start(&prepared.folder, prepared.claims.worker(), limits).map_err(Failure::running)
}

fn play(
    args: &RunArgs,
    prepared: PreparedSweep,
    context: &Context,
    waits_for_others: bool,
    screen: bool,
) -> Result<Exit, Failure> {
    let orders = orders(args, &prepared)?;
    let PreparedSweep { plan, config, folder, claims } = prepared;
    let spending = Arc::new(spending(args, &context.lab, &plan, &config)?);
    let prices = mageyard_config::load_prices(&config)?;
    let settings = config.settings();
    let breakpoints = read_breakpoints(&context.lab, &args.breaks, "--break", &config);
    let breakpoints = single_thread_runtime()?.block_on(breakpoints)?;
    let options = SweepRunOptions {
        failure_limit: settings.run.failure_limit,
        breakpoints,
        retries: settings.sweep.retries,
        retry_delay: Duration::from_secs(settings.sweep.retry_delay),
        spending: spending.clone(),
        orders,
        waits_for_others,
    };
    let lines = EpisodePrinter { out: Output::open(), json: args.json, prices };
    let mut printer = SweepPrinter::new(lines, plan.clone(), spending.clone(), screen);
    let runtime = parallel_runtime()?;
    let ended = runtime.block_on(async {
        share_permits_of(&context.lab, &config, &claims)?;
        count_spending(&context.lab, &folder, &plan, &spending, claims.worker()).await?;
        let stop = CancellationToken::new();
        let run = run_sweep(&context.lab, plan.clone(), folder.clone(), claims, options, &stop);
        let ended = if screen {
            let shown = ShownRun { plan: plan.clone(), folder: folder.clone(), spending: spending.clone() };
            context.screen.follow_run(run, &stop, shown, context, &config).await
        } else {
            print(run, &stop, &mut printer).await
        };
        leave_shared_permits(&context.lab).await;
        ended
    });
    printer.finish();
    let counts = StateCounts::of(&plan, &folder)?;
    let (end, signal) = ended?;
    printer.total(&counts.text(&spending.total()))?;
    let again = format!("mageyard sweep run {}", args.source.name());
    match signal {
        Some(exit) if matches!(end, SweepEnd::Stopped) => Err(summary::stopped(exit, &again)),
        _ => summary::exit(end, &counts, &again),
    }
}

/// The limits of the command line. A cost limit needs the prices of all models.
fn spending(args: &RunArgs, lab: &Lab, plan: &SweepPlan, config: &Config) -> Result<Spending, Failure> {
    let prices = mageyard_config::load_prices(config)?;
    if args.cost_limit.is_some()
        && let Some(model) = unpriced_model(lab, plan, &prices)?
    {
        return Err(unpriced("--cost-limit", &model, config).into());
    }
    Ok(Spending::new(SpendingLimits { cost: args.cost_limit, tokens: args.max_tokens }, prices))
}

/// Prints events until the run has ended. A signal stops the run; it is returned with the end.
async fn print(
    mut run: SweepRun,
    stop: &CancellationToken,
    printer: &mut SweepPrinter,
) -> Result<(SweepEnd, Option<Exit>), Failure> {
    let shown = async {
        while let Some(event) = run.next().await {
            printer.show(event)?;
        }
        std::io::Result::Ok(())
    };
    let (shown, signal) = signals::stop_on_signal(stop, shown).await;
    shown?;
    Ok((run.end().await?, signal))
}
