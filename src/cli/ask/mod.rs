//! `ask`: puts one recorded state to several prompts, memory windows and models, many times.

pub(super) mod control;
mod rating;
pub(super) mod records;
pub(super) mod suite;
pub(super) mod table_records;

use std::io;
use std::path::Path;

use self::control::print_controls;
use self::records::{AskedRecord, CallRecord};
use self::table_records::{ComparisonRecord, ResultRecord, VariantRecord};
use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::ComparisonFields;
use super::runtime::parallel_runtime;
use super::session::{kept_flags, one_episode};
use super::studies::{StudyPrinter, StudyRecords};
use mageyard_config::{Config, Problem, load_prices};
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::{parse_step_reference, step_reference};
use mageyard_study::{
    AskArgs, AskCall, AskOutcome, AskStudy, AskTable, ContinuationStudy, Samples, ServerNote, StoredAsk,
    StudyEvent, ask_table, stored_asks,
};

/// Ask models again at a recorded step and compare the answers
///
/// Each prompt variant is combined with each AM, OM and model; or one request is compared with itself without each of its
/// parts (--leave-out). The requests are composed from the recording, so nothing is played and the recording is only read. The
/// number of calls and their estimated cost are printed before the first one.
///
/// Calls go out in random order and are stored beside the recording as they come back. The same command completes an ask that
/// was stopped, and prints one that is complete without a call.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Step to ask at: a name, `last` or SWEEP/CELL, /2 for an episode, #5 for the step, #b1@5 for one of a branch; or a suite of states
    ///
    /// All states of a suite are asked the same, and the variants are compared on them: `mageyard suite list` lists suites.
    #[arg(value_name = "SESSION[/EPISODE]#STEP|SUITE")]
    session: String,
    #[command(flatten)]
    asked: AskArgs,
    /// Print what would be asked and what it needs, and ask nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the asks that are stored for this step; no call is made
    #[arg(long, conflicts_with_all = ["prompts", "am", "om", "views", "keep", "models", "leave_out", "target", "from_text", "concurrency", "dry_run", "to_end"])]
    show: bool,
    /// Rate a reply of a stored ask, such as 88f18db3:2/4=good; bad is the other rating, none takes it away
    #[arg(long, value_name = "ASK:VARIANT/SAMPLE=RATING", requires = "show")]
    rate: Vec<String>,
    /// Of a suite: exit with 100 if a share is missed, such as optimal>=0.6 or HD-CoT:losing<=0.1
    ///
    /// It holds for each variant, or for those with this prompt or number. The shares are accepted, readable, legal, optimal,
    /// wasteful, losing and mistake, from 0 to 1. With ! at its end, optimal>=0.6!, the end of the 95 % interval counts.
    #[arg(long, value_name = "SHARE")]
    threshold: Vec<String>,
    /// Of a suite: exit with 100 if a variant may be worse by more than this share of accepted answers, such as 0.05
    ///
    /// Each variant is compared with the first one, or, as in 0s-CoT:0.05, with that of this prompt or number: better, not worse by
    /// more than the margin, worse, or undecided, by the 95 % interval of the difference. Only the first two end with 0. A suite can
    /// fix its margin in its file.
    #[arg(long, value_name = "SHARE")]
    margin: Option<String>,
    /// Of a suite: print the sweep of whole episodes that confirms the result, or write it to this file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    confirm: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let (session, step) = parse_step_reference(&args.session)?;
    let Some(step) = step else { return suite::run(args, context, &config) };
    if args.confirm.is_some() || args.margin.is_some() || !args.threshold.is_empty() {
        let problem = Problem::new("--threshold, --margin and --confirm need a suite, and this is one step");
        return Err(problem.with_help("`mageyard suite list` lists the suites").into());
    }
    let journal = &one_episode(&store, session, &format!("#{step}"))?;
    let mut printer = StudyPrinter::new(args.json);
    if args.show {
        args.rate.iter().try_for_each(|words| rating::rate(journal, step, words))?;
        let run = step_reference(&store.reference(journal), step);
        return show(&mut printer, &run, &stored_asks(journal, step)?, &config);
    }
    parallel_runtime()?.block_on(ask(args, (context, &config), (journal, step), &mut printer))
}

/// Asks at a step: plays on to the end, or makes calls.
async fn ask(
    args: &Args,
    (context, config): (&Context, &Config),
    (journal, step): (&Path, u32),
    printer: &mut StudyPrinter,
) -> Result<Exit, Failure> {
    let lab = &context.lab;
    let at_once = args.asked.concurrency;
    if let Some(request) = args.asked.continuation(step, kept_flags(context)) {
        let study = ContinuationStudy::plan(lab, journal, &request, config, at_once).await?;
        return printer.run(&study, context, args.dry_run).await;
    }
    let request = args.asked.request(step, kept_flags(context));
    let study = AskStudy::plan(lab, journal, &request, config, at_once).await?;
    let exit = printer.run(&study, context, args.dry_run).await?;
    let id = study.plan.record.id();
    let (own, others): (Vec<StoredAsk>, Vec<StoredAsk>) =
        stored_asks(journal, step)?.into_iter().partition(|ask| ask.record.id() == id);
    for other in others.iter().filter(|_| !args.dry_run) {
        print_controls(printer, &study.run, (&own.iter().collect::<Vec<_>>(), &[other]))?;
    }
    Ok(exit)
}

/// Prints the stored asks of a step.
fn show(printer: &mut StudyPrinter, run: &str, asks: &[StoredAsk], config: &Config) -> Result<Exit, Failure> {
    let prices = load_prices(config)?;
    if asks.is_empty() {
        return Err(Problem::new(format!("nothing was asked at {run}")).into());
    }
    for ask in asks {
        if printer.json {
            print_stored(&mut printer.out, run, ask)?;
            print_table(&mut printer.out, run, (ask, None), &prices)?;
        } else {
            let table = ask_table(run, ask, &prices, None, Samples::None);
            printer.lines(&table.head)?;
            printer.table(&table)?;
        }
    }
    for pair in asks.windows(2) {
        print_controls(printer, run, (&[&pair[1]], &[&pair[0]]))?;
    }
    Ok(Exit::Done)
}

/// What was asked, and the calls.
fn print_stored(out: &mut Output, run: &str, ask: &StoredAsk) -> io::Result<()> {
    out.record(&AskedRecord::stored(run, &ask.record))?;
    let rating = |call: &AskCall| ask.ratings.get(&(call.variant, call.sample)).copied();
    let mut calls = ask.calls.iter();
    calls.try_for_each(|call| out.record(&CallRecord::new(run, &ask.record, call, rating(call))))
}

/// The rows, the comparisons, and the end.
fn print_table(
    out: &mut Output,
    run: &str,
    (ask, outcome): (&StoredAsk, Option<&AskOutcome>),
    prices: &Prices,
) -> io::Result<()> {
    let table = AskTable::of(&ask.record, &ask.calls, prices);
    for variant in VariantRecord::all(run, &ask.record, &table) {
        out.record(&variant)?;
    }
    for comparison in &table.comparisons {
        out.record(&ComparisonRecord { fields: ComparisonFields::new(run, comparison) })?;
    }
    let notes = ServerNote::all(&ask.record, &ask.calls);
    out.record(&ResultRecord::new(run, ask, &table, &notes, outcome))
}

impl StudyRecords for AskStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        out.record(&AskedRecord::planned(&self.run, &self.plan, self.needs()))
    }

    fn print_event(&self, event: StudyEvent<'_>, out: &mut Output) -> io::Result<()> {
        match event {
            StudyEvent::Call(_, call) => {
                out.record(&CallRecord::new(&self.run, &self.plan.record, call, None))
            }
            StudyEvent::Began | StudyEvent::Branch(_) => Ok(()),
        }
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let prices = self.plan.prices();
        self.with_ask(|ask, outcome| print_table(out, &self.run, (ask, outcome), prices)).unwrap_or(Ok(()))
    }
}
