//! `blame`: the step after which the goal of an episode was out of reach.

pub(super) mod records;
pub mod text;

use mageyard_study::{blame_by_playing, blame_by_solver, blame_steps, plan_probe};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use self::records::BlameRecord;
use self::records::PlanRecord;
use self::records::ProbeRecord;
pub use self::text::plan_lines;
pub use self::text::solver_lines;
use super::context::Context;
use super::continuations::{RowFields, progress_bar, row_cells, row_titles, unfinished};
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime::parallel_runtime;
use super::session::{kept_flags, one_episode};
use super::signals::stop_signal;
use mageyard_config::Config;
use mageyard_engine::Store;
use mageyard_lab::step_reference;
use mageyard_study::{
    BlameArgs, ContinuationPlan, PlayedBlame, PlayedVerdict, Probe, ProbeEvent, SolverVerdict,
};

/// Find the step after which the goal of an episode was out of reach
///
/// Where the environment has a solver, it proves the step, and no request is sent. Else, or with --play, the episode is played
/// on from the start of several steps, each several times, in branches of the episode: by bisection, a step is found from
/// whose start the goal is still reached, in at least half as many episodes as from the first one, and not from the next one.
/// The number of episodes and their estimated cost are printed first.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Episode: a name, `last` or SWEEP/CELL, /2 for an episode, #b1 for a branch
    #[arg(value_name = "SESSION[/EPISODE]")]
    session: String,
    #[command(flatten)]
    played: BlameArgs,
    /// Print what would be played and what it needs, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let journal = &one_episode(&store, &args.session, "")?;
    let mut printer = Printer { out: Output::open(), json: args.json, run: store.reference(journal) };
    parallel_runtime()?.block_on(async {
        if !args.played.play {
            let verdict = blame_by_solver(&context.lab, journal, &config).await?;
            if verdict != SolverVerdict::NoSolver {
                return printer.solver(&verdict);
            }
        }
        Box::pin(play(args, (context, &config), journal, &mut printer)).await
    })
}

/// Plays on from several steps.
async fn play(
    args: &Args,
    (context, config): (&Context, &Config),
    journal: &Path,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    let request = args.played.request(kept_flags(context));
    let (steps, most) = blame_steps(&context.lab, journal).await?;
    let first = steps.first().copied().unwrap_or(1);
    let plan = plan_probe(&context.lab, journal, first, &request, config).await?;
    printer.plan(&plan, steps.len(), most)?;
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let jobs = args.played.concurrency.map_or(config.settings().run.jobs, usize::from);
    let stop = CancellationToken::new();
    let bar = progress_bar(most as usize * args.played.samples as usize, "of at most");
    let mut report = |_: &Arc<ContinuationPlan>, event: ProbeEvent<'_>| match event {
        ProbeEvent::Began(stored) => {
            bar.inc(stored.iter().filter(|one| one.summary.is_some()).count() as u64);
        }
        ProbeEvent::Ended(_) => bar.inc(1),
    };
    let (blame, signal) = {
        let lab = &context.lab;
        let mut playing = pin!(blame_by_playing(lab, journal, &request, (config, jobs), &stop, &mut report));
        tokio::select! {
            biased;
            exit = stop_signal() => {
                stop.cancel();
                (playing.await?, Some(exit))
            }
            blame = &mut playing => (blame?, None),
        }
    };
    bar.finish_and_clear();
    printer.played(&blame)?;
    match (signal, blame.verdict) {
        (Some(exit), _) => Ok(exit),
        (None, PlayedVerdict::Unfinished { why }) => Err(unfinished(&why)),
        (None, _) => Ok(Exit::Done),
    }
}

/// Prints the verdict as text or as JSON.
struct Printer {
    out: Output,
    json: bool,
    /// The reference of the episode.
    run: String,
}

impl Printer {
    fn solver(&mut self, verdict: &SolverVerdict) -> Result<Exit, Failure> {
        if self.json {
            self.out.record(&BlameRecord::by_solver(&self.run, verdict))?;
        } else {
            let lines = text::solver_lines(&self.run, verdict);
            let hint = text::solver_hint(&self.run, verdict);
            lines.iter().chain(&hint).try_for_each(|line| self.out.line(line))?;
        }
        Ok(Exit::Done)
    }

    /// What is played and what it needs at most.
    fn plan(&mut self, plan: &ContinuationPlan, steps: usize, most: u32) -> Result<(), Failure> {
        if self.json {
            self.out.record(&PlanRecord::new(&self.run, plan, (steps, most)))?;
        } else {
            let lines = text::plan_lines(&self.run, plan, (steps, most));
            lines.iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(())
    }

    fn played(&mut self, blame: &PlayedBlame) -> Result<(), Failure> {
        if self.json {
            for Probe { step, row } in &blame.probes {
                let run = step_reference(&self.run, *step);
                self.out.record(&ProbeRecord { run, step: *step, row: RowFields::new(row) })?;
            }
            self.out.record(&BlameRecord::by_playing(&self.run, &blame.verdict))?;
            return Ok(());
        }
        if !blame.probes.is_empty() {
            let titles = std::iter::once("from step").chain(row_titles()).map(str::to_owned).collect();
            let row = |probe: &Probe| {
                std::iter::once(probe.step.to_string()).chain(row_cells(&probe.row)).collect()
            };
            let rows: Vec<Vec<String>> =
                std::iter::once(titles).chain(blame.probes.iter().map(row)).collect();
            self.out.line("")?;
            self.out.column_blocks(&rows, 1)?;
        }
        let lines = text::played_lines(&self.run, &blame.verdict);
        let hint = text::played_hint(&self.run, &blame.verdict);
        lines.iter().chain(&hint).try_for_each(|line| self.out.line(line))?;
        Ok(())
    }
}
