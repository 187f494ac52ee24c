//! `ask`: puts one recorded state to several prompts, memory windows and models, many times.

mod progress;
mod rating;
pub(super) mod records;
pub mod suite;
pub(super) mod table_records;
pub mod text;
mod to_end;

use mageyard_study::{calls_left, plan_ask, run_ask};
use std::io;
use std::path::PathBuf;
use std::pin::pin;

use tokio_util::sync::CancellationToken;

use self::progress::Progress;
use self::records::AskedRecord;
use self::records::CallRecord;
pub use self::suite::AskedSuite;
pub use self::suite::suite_plan_lines;
use self::table_records::ComparisonRecord;
use self::table_records::ResultRecord;
use self::table_records::VariantRecord;
pub use self::text::plan_lines;
use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::ComparisonFields;
use super::runtime::parallel_runtime;
use super::session::{kept_flags, one_episode};
use super::signals::stop_signal;
use mageyard_config::{Config, Problem, load_prices};
use mageyard_domain::Rating;
use mageyard_engine::Store;
use mageyard_lab::{parse_step_reference, step_reference};
use mageyard_study::{
    AskArgs, AskCall, AskOutcome, AskPlan, AskRecord, AskRequest, AskStop, AskTable, ServerNote, StoredAsk,
    stored_asks,
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
    #[arg(long, conflicts_with_all = ["prompts", "am", "om", "models", "leave_out", "target", "from_text", "concurrency", "dry_run", "to_end"])]
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
    if args.confirm.is_some() || !args.threshold.is_empty() {
        let problem = Problem::new("--threshold and --confirm need a suite, and this is one step");
        return Err(problem.with_help("`mageyard suite list` lists the suites").into());
    }
    let journal = &one_episode(&store, session, &format!("#{step}"))?;
    let run = step_reference(&store.reference(journal), step);
    let printer = Printer { out: Output::open(), json: args.json, run };
    if let Some(request) = args.asked.continuation(step, kept_flags(context)) {
        return to_end::run(args, &request, context, (printer.run.as_str(), journal));
    }
    if args.show {
        args.rate.iter().try_for_each(|words| rating::rate(journal, step, words))?;
        return show(printer, stored_asks(journal, step)?, &config);
    }
    let request = args.asked.request(step, kept_flags(context));
    parallel_runtime()?.block_on(ask(args, context, (journal.clone(), request), (printer, &config)))
}

/// Prints the stored asks of a step.
fn show(mut printer: Printer, asks: Vec<StoredAsk>, config: &Config) -> Result<Exit, Failure> {
    let prices = load_prices(config.folders())?;
    if asks.is_empty() {
        return Err(Problem::new(format!("nothing was asked at {}", printer.run)).into());
    }
    for ask in asks {
        printer.stored(&ask)?;
        let table = AskTable::of(&ask.record, &ask.calls, &prices);
        printer.table(&ask, &table, None)?;
    }
    Ok(Exit::Done)
}

/// Plans, prints the plan, makes the calls and prints the table.
async fn ask(
    args: &Args,
    context: &Context,
    (journal, request): (PathBuf, AskRequest),
    (mut printer, config): (Printer, &Config),
) -> Result<Exit, Failure> {
    let plan = plan_ask(&context.lab, &journal, &request, config).await?;
    let left = calls_left(&context.lab, &plan)?;
    printer.plan(&plan, &left)?;
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let at_once = args.asked.concurrency.map_or(plan.at_once(), usize::from);
    let (outcome, signal) = make_calls(context, &plan, at_once, &mut printer).await?;
    let table = AskTable::of(&outcome.ask.record, &outcome.ask.calls, plan.prices());
    printer.table(&outcome.ask, &table, Some(&outcome))?;
    let failed = table.rows.iter().any(|row| row.failed > 0);
    match (&outcome.stopped, signal) {
        (Some(AskStop::Failing(why)), _) => Err(Failure::Problem(
            Exit::Failed,
            Problem::new(format!("calls keep failing: {why}"))
                .with_help("the same command makes the calls that are missing"),
        )),
        (Some(AskStop::Cancelled(_)), Some(exit)) => Ok(exit),
        _ if failed => Ok(Exit::Partial),
        _ => Ok(Exit::Done),
    }
}

/// Makes the calls until a signal comes, with the exit code of the signal.
async fn make_calls(
    context: &Context,
    plan: &AskPlan,
    at_once: usize,
    printer: &mut Printer,
) -> Result<(AskOutcome, Option<Exit>), Failure> {
    let stop = CancellationToken::new();
    let progress = Progress::new(plan.record.replies());
    let mut closed: io::Result<()> = Ok(());
    let mut arrived = |call: &AskCall, done: usize| {
        progress.show(done);
        if closed.is_ok() {
            closed = printer.call(&plan.record, call, None);
            if closed.is_err() {
                stop.cancel();
            }
        }
    };
    let (outcome, signal) = {
        let mut asked = pin!(run_ask(&context.lab, plan, at_once, &stop, &mut arrived));
        tokio::select! {
            biased;
            exit = stop_signal() => {
                stop.cancel();
                (asked.await?, Some(exit))
            }
            outcome = &mut asked => (outcome?, None),
        }
    };
    progress.clear();
    closed?;
    Ok((outcome, signal))
}

/// Prints an ask as text or as JSON.
struct Printer {
    out: Output,
    json: bool,
    /// The reference of the step.
    run: String,
}

impl Printer {
    fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.out.line(line))
    }

    /// What is asked, before the first call.
    fn plan(&mut self, plan: &AskPlan, left: &[u64]) -> io::Result<()> {
        let estimate = plan.estimate(left);
        if self.json {
            return self.out.record(&AskedRecord::planned(&self.run, plan, &estimate));
        }
        let lines = text::plan_lines(&self.run, plan, &estimate);
        self.lines(&lines)
    }

    /// What was asked.
    fn stored(&mut self, ask: &StoredAsk) -> io::Result<()> {
        if self.json {
            self.out.record(&AskedRecord::stored(&self.run, &ask.record))?;
            let rating = |call: &AskCall| ask.ratings.get(&(call.variant, call.sample)).copied();
            return ask.calls.iter().try_for_each(|call| self.call(&ask.record, call, rating(call)));
        }
        let lines = text::record_lines(&self.run, &ask.record);
        self.lines(&lines)
    }

    /// A call that came back; as text the table has it.
    fn call(&mut self, record: &AskRecord, call: &AskCall, rating: Option<Rating>) -> io::Result<()> {
        if self.json { self.out.record(&CallRecord::new(&self.run, record, call, rating)) } else { Ok(()) }
    }

    /// The table, the comparisons, and the end.
    fn table(&mut self, ask: &StoredAsk, table: &AskTable, outcome: Option<&AskOutcome>) -> io::Result<()> {
        let notes = ServerNote::all(&ask.record, &ask.calls);
        if self.json {
            for variant in VariantRecord::all(&self.run, &ask.record, table) {
                self.out.record(&variant)?;
            }
            for comparison in &table.comparisons {
                let fields = ComparisonFields::new(&self.run, comparison);
                self.out.record(&ComparisonRecord { fields })?;
            }
            return self.out.record(&ResultRecord::new(&self.run, ask, table, &notes, outcome));
        }
        self.out.line("")?;
        self.out.column_blocks(&text::rows(&ask.record, table), 1)?;
        let lines = text::result_lines(ask, table, &notes, outcome);
        self.lines(&lines)
    }
}
