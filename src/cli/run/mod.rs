//! `run`: episodes without a screen, one after the other or several at once.

mod counts;
mod in_order;
mod person;
mod plan;
mod printer;
mod progress;
mod wait_notices;

use mageyard_lab::{read_breakpoints, run_episodes};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::{Interval, interval};
use tokio_util::sync::CancellationToken;

use self::printer::RunPrinter;
use self::progress::Progress;
use super::context::Context;
use super::diagnostics::print_message;
use super::episode_output::EpisodePrinter;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::runtime::{parallel_runtime, single_thread_runtime};
use super::session::{record_http, store_flag};
use super::{logfile, signals};
use mageyard_config::Problem;
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::{EpisodeId, Lab, PlannedEpisode, RunOptions};

/// Play levels without a screen, one line per step
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "mageyard run [OPTIONS] <LEVELS>\n       mageyard run [OPTIONS] --resume <SESSION>",
    after_help = "More settings: see --help.",
    after_long_help = ""
)]
pub(super) struct Args {
    /// Environment, level set, level or file; not needed with --from
    #[arg(value_name = "LEVELS", required_unless_present_any = ["resume", "from"])]
    levels: Option<String>,
    /// Resume an unfinished session: its name or `last`
    #[arg(long, value_name = "SESSION", conflicts_with = "levels")]
    resume: Option<String>,
    /// Episodes per level; each repeat uses the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    /// Park an episode at a step that meets a condition, such as `ia,ra` or `ra>=3 and not action=Up`; exit with 3
    ///
    /// The conditions are those of `find`; see `mageyard find --help`. Separate several with semicolons, or repeat the
    /// flag. After a condition: `once`; `after 3`, from the third time on; `before request`, `after reply` or `after
    /// act`, by default when the step is finished. `run --resume` and `play --resume` continue a parked episode. With an
    /// effect the run goes on: `tag NAME`, `fork CHANGES` (a branch), `seat NAME STEPS` (another agent decides).
    #[arg(long = "break", value_name = "CONDITION")]
    breaks: Vec<String>,
    /// Record the conversations with model servers in a new file, for bug reports and tests
    ///
    /// Values of variables, such as API keys, are struck out and pictures are replaced by their digests.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    record_http: Option<PathBuf>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    let config = Arc::new(context.config()?);
    let prices = mageyard_config::load_prices(&config)?;
    let store = Store::new(config.store_folder());
    let breakpoints = read_breakpoints(&context.lab, &args.breaks, "--break", &config);
    let breakpoints = single_thread_runtime()?.block_on(breakpoints)?;
    let settings = &config.settings().run;
    let has_person = person::has_person(settings.jobs);
    let planned = plan::planned(args, context, (&config, has_person), &store)?;
    let jobs = settings.jobs;
    let failure_limit = settings.failure_limit;
    let options = RunOptions { config, store, breakpoints, jobs, failure_limit, spending: None, has_person };
    let recording = record_http(&context.lab, args.record_http.as_deref())?;
    let ended = run_tries(args, context, planned, &options, &prices);
    recording.map_or(Ok(()), |recording| recording.finish())?;
    ended
}

/// Runs the episodes, and then those that are tried again. A resumed session is completed without further tries, which it may have had.
fn run_tries(
    args: &Args,
    context: &Context,
    mut planned: Vec<PlannedEpisode>,
    options: &RunOptions,
    prices: &Prices,
) -> Result<Exit, Failure> {
    let mut first = None;
    loop {
        let tried = planned.clone();
        let lines = EpisodePrinter { out: Output::open(), json: args.json, prices: prices.clone() };
        let progress = Progress::new(planned.len(), options.jobs);
        let mut printer = RunPrinter::new(lines, progress, store_flag(&options.config));
        let ended =
            runtime(options.jobs)?.block_on(run_all(&context.lab, planned, options.clone(), &mut printer));
        printer.total()?;
        ended?;
        // How the first tries ended is what a script asks for.
        let exit = *first.get_or_insert(printer.counts.exit());
        if args.resume.is_some() {
            return Ok(exit);
        }
        match plan::next_tries(&tried, context, &options.config, &options.store)? {
            Some(next) => planned = next,
            None => return Ok(exit),
        }
        let count = count_noun(planned.len(), "episode", "episodes");
        print_message(&format!(
            "{count} that failed: another try with the feedback, in a session of its own"
        ));
    }
}

/// One episode at a time needs one thread.
fn runtime(jobs: usize) -> Result<Runtime, Failure> {
    if jobs == 1 { single_thread_runtime() } else { parallel_runtime() }
}

/// Runs the episodes and prints their events, until all have ended or a signal arrives.
async fn run_all(
    lab: &Lab,
    planned: Vec<PlannedEpisode>,
    options: RunOptions,
    printer: &mut RunPrinter,
) -> Result<(), Failure> {
    let episodes = planned.len();
    let stop = CancellationToken::new();
    let session =
        planned.first().map_or(String::new(), |first| EpisodeId::of_journal(&first.journal).session_name());
    let mut seconds = planned.iter().any(asks_model).then(|| interval(Duration::from_secs(1)));
    let mut run = run_episodes(lab, planned, options, &stop);
    let shown = async {
        loop {
            tokio::select! {
                biased;
                event = run.next() => match event {
                    Some(event) => printer.show(event)?,
                    None => return std::io::Result::Ok(()),
                },
                () = next_second(seconds.as_mut()) => printer.show_waits(&run.waits()),
            }
        }
    };
    let (shown, signal) = signals::stop_on_signal(&stop, shown).await;
    if let Err(error) = shown {
        run.stop().await;
        return Err(error.into());
    }
    printer.finish(run.failure().as_ref(), &session)?;
    match (printer.fatal.take(), signal) {
        (Some(failure), _) => Err(failure),
        (None, Some(exit)) if printer.counts.ended() < episodes => {
            Err(stopped(exit, &session, &printer.store_flag))
        }
        _ => Ok(()),
    }
}

/// Whether an episode may wait for a model server. That of a recorded episode is not known before it is opened.
fn asks_model(planned: &PlannedEpisode) -> bool {
    planned.head.as_ref().is_none_or(|head| head.model().is_some())
}

async fn next_second(seconds: Option<&mut Interval>) {
    match seconds {
        Some(seconds) => drop(seconds.tick().await),
        None => std::future::pending().await,
    }
}

/// The message after a signal.
fn stopped(exit: Exit, session: &str, store_flag: &str) -> Failure {
    let problem = Problem::new("stopped; the log is complete up to the last event");
    let help = format!("resume it with `mageyard run --resume {session}{store_flag}`");
    Failure::Problem(exit, problem.with_help(help))
}
