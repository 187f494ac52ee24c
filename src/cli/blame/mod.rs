//! `blame`: the step after which the goal of an episode was out of reach.

pub(super) mod records;

use std::io;

use self::records::{BlameRecord, PlanRecord, ProbeRecord};
use super::context::Context;
use super::continuations::RowFields;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime::parallel_runtime;
use super::session::{kept_flags, one_episode};
use super::studies::{StudyPrinter, StudyRecords};
use mageyard_engine::Store;
use mageyard_lab::step_reference;
use mageyard_study::{
    BlameArgs, BlameStudy, Judged, Probe, Samples, SolverVerdict, Study, StudyEvent, StudyTable, judge_blame,
    played_hint, solver_hint, solver_lines,
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
    let mut printer = StudyPrinter::new(args.json);
    parallel_runtime()?.block_on(async {
        let wanted = (&args.played, kept_flags(context));
        match Box::pin(judge_blame(&context.lab, journal, wanted, &config)).await? {
            Judged::BySolver(verdict) => by_solver(&mut printer, &store.reference(journal), &verdict),
            Judged::Planned(study) => printer.run(&*study, context, args.dry_run).await,
        }
    })
}

fn by_solver(printer: &mut StudyPrinter, run: &str, verdict: &SolverVerdict) -> Result<Exit, Failure> {
    if printer.json {
        printer.out.record(&BlameRecord::by_solver(run, verdict))?;
    } else {
        printer.lines(&solver_lines(run, verdict))?;
        printer.lines(solver_hint(run, verdict).as_slice())?;
    }
    Ok(Exit::Done)
}

impl StudyRecords for BlameStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        out.record(&PlanRecord::new(&self.run, &self.first, self.steps))
    }

    fn print_event(&self, _: StudyEvent<'_>, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let Some(result) = self.result() else { return Ok(()) };
        for Probe { step, row } in &result.probes {
            let run = step_reference(&self.run, *step);
            out.record(&ProbeRecord { run, step: *step, row: RowFields::new(row) })?;
        }
        out.record(&BlameRecord::by_playing(&self.run, &result.verdict))
    }

    /// Without the steps whose branches are not all over.
    fn text_table(&self) -> StudyTable {
        let mut table = self.table(Samples::None);
        if let Some(result) = self.result() {
            let is_known = |number: usize| result.probes.iter().any(|probe| probe.step as usize == number);
            table.rows.retain(|row| is_known(row.number));
            table.end.extend(played_hint(&self.run, &result.verdict));
        }
        table
    }
}
