//! `ask SUITE`: the same variants on all states of a suite.

pub(crate) mod answers_record;
pub(crate) mod records;
pub mod text;

pub use self::text::plan_lines as suite_plan_lines;

use mageyard_study::{confirming_sweep, estimate_suite, plan_suite, run_asks, stored_suite_asks};
use std::io;
use std::path::PathBuf;
use std::pin::pin;

use tokio_util::sync::CancellationToken;

use self::records::{AskedRecord, ConfirmRecord, ThresholdRecord};
use super::Args;
use super::progress::Progress;
use super::records::CallRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::output_file;
use crate::runtime::parallel_runtime;
use crate::session::kept_flags;
use crate::signals::stop_signal;
use mageyard_config::{Config, Problem, load_prices};
use mageyard_engine::Store;
use mageyard_study::{
    AskCall, AskOutcome, AskPlan, AskRecord, AskStop, JudgedState, StoredAsk, Suite, SuitePlan, SuiteTable,
    Threshold, Variant, no_effect_on_suite, parse_suite, suite_catalog, suite_file,
};

/// What there is after the calls, or of an ask that is stored.
pub struct AskedSuite<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The states that were asked.
    pub states: &'a [JudgedState],
    /// The ask of each of them.
    pub asks: Vec<&'a StoredAsk>,
    /// How the calls ended, if they were made just now.
    pub outcomes: Option<&'a [AskOutcome]>,
}

impl AskedSuite<'_> {
    /// The variants that were asked; empty before the first ask.
    pub fn variants(&self) -> &[Variant] {
        self.asks.first().map_or(&[], |ask| &ask.record.variants)
    }

    /// The number of calls of all states.
    pub fn calls(&self) -> usize {
        self.asks.iter().map(|ask| ask.record.calls()).sum()
    }

    /// The number of replies of all states when all calls were made.
    pub fn replies(&self) -> usize {
        self.asks.iter().map(|ask| ask.record.replies()).sum()
    }
}

/// Asks about a suite, or prints what was asked.
pub(super) fn run(args: &Args, context: &Context, config: &Config) -> Result<Exit, Failure> {
    let suite = read(args, context)?;
    let refused = [
        ("--target", args.asked.target.is_some()),
        ("--leave-out", !args.asked.leave_out.is_empty()),
        ("--from-text", args.asked.from_text.is_some()),
        ("--to-end", args.asked.to_end.is_some()),
        ("--rate", !args.rate.is_empty()),
    ];
    if let Some((flag, _)) = refused.iter().find(|(_, is_given)| *is_given) {
        return Err(no_effect_on_suite(flag).into());
    }
    let thresholds: Vec<Threshold> =
        args.threshold.iter().map(|text| Threshold::parse(text)).collect::<Result<_, _>>()?;
    let printer = Printer { out: Output::open(), json: args.json };
    let ask = SuiteAsk { args, context, config, suite: &suite, thresholds };
    parallel_runtime()?
        .block_on(async { if args.show { ask.show(printer).await } else { ask.ask(printer).await } })
}

fn read(args: &Args, context: &Context) -> Result<Suite, Failure> {
    let given = &args.session;
    let file = suite_file(context.folders(), given).map_err(|problem| {
        if problem.location.is_some() {
            return problem;
        }
        let names = suite_catalog(context.folders()).entries();
        let names: Vec<String> = names.into_iter().map(|entry| entry.name).collect();
        let help = format!("write {given}#STEP for a step of a session; the suites are {}", names.join(", "));
        Problem::new(format!("{given} names no step, and no suite has this name")).with_help(help)
    })?;
    Ok(parse_suite(&file)?)
}

/// An ask about a suite.
struct SuiteAsk<'a> {
    args: &'a Args,
    context: &'a Context,
    config: &'a Config,
    suite: &'a Suite,
    thresholds: Vec<Threshold>,
}

impl SuiteAsk<'_> {
    /// Prints what is stored.
    async fn show(&self, mut printer: Printer) -> Result<Exit, Failure> {
        let store = Store::new(self.config.store_folder());
        let stored = stored_suite_asks(&self.context.lab, self.suite, &store, self.config).await?;
        if stored.is_empty() {
            return Err(Problem::new(format!("nothing was asked about {}", self.suite.name)).into());
        }
        let mut exit = Exit::Done;
        for one in &stored {
            let asks = one.asks.iter().collect();
            let asked = AskedSuite { suite: self.suite, states: &one.states, asks, outcomes: None };
            printer.begin(&asked)?;
            exit = self.report(&asked, &mut printer)?;
        }
        Ok(exit)
    }

    /// Plans, prints the plan, makes the calls and prints the report.
    async fn ask(&self, mut printer: Printer) -> Result<Exit, Failure> {
        let lab = &self.context.lab;
        let args = self.args;
        let store = Store::new(self.config.store_folder());
        let plan = plan_suite(
            lab,
            self.suite,
            &args.asked.request(0, kept_flags(self.context)),
            &store,
            self.config,
        )
        .await?;
        self.check_thresholds(&plan)?;
        let estimate = estimate_suite(lab, &plan)?;
        printer.plan(self.suite, &plan, &estimate)?;
        if args.dry_run {
            return Ok(Exit::Done);
        }
        let own = plan.plans.first().map_or(1, AskPlan::at_once);
        let at_once = args.asked.concurrency.map_or(own, usize::from);
        let (outcomes, signal) = self.make_calls(&plan, at_once, &mut printer).await?;
        let asks = outcomes.iter().map(|outcome| &outcome.ask).collect();
        let asked = AskedSuite { suite: self.suite, states: &plan.states, asks, outcomes: Some(&outcomes) };
        let exit = self.report(&asked, &mut printer)?;
        match (outcomes.iter().find_map(|outcome| outcome.stopped.as_ref()), signal) {
            (Some(AskStop::Failing(why)), _) => Err(Failure::Problem(
                Exit::Failed,
                Problem::new(format!("calls keep failing: {why}"))
                    .with_help("the same command makes the calls that are missing"),
            )),
            (Some(AskStop::Cancelled(_)), Some(signal)) => Ok(signal),
            _ => Ok(exit),
        }
    }

    /// Refuses, before the first call, a threshold on what cannot be judged and one for a variant that is not asked.
    fn check_thresholds(&self, plan: &SuitePlan) -> Result<(), Problem> {
        for threshold in &self.thresholds {
            threshold.variants(plan.variants())?;
            let measure = threshold.measure;
            if plan.states.iter().all(|state| measure.is_met(state, None).is_none()) {
                let problem = Problem::new(format!("--threshold: {measure} cannot be judged in any state"));
                return Err(
                    problem.with_help("use accepted or readable, or list the right actions with accept")
                );
            }
        }
        Ok(())
    }

    /// Makes the calls until a signal comes, with the exit code of the signal.
    async fn make_calls(
        &self,
        plan: &SuitePlan,
        at_once: usize,
        printer: &mut Printer,
    ) -> Result<(Vec<AskOutcome>, Option<Exit>), Failure> {
        let stop = CancellationToken::new();
        let progress = Progress::new(plan.replies());
        let mut closed: io::Result<()> = Ok(());
        let mut arrived = |ask: usize, call: &AskCall, done: usize| {
            progress.show(done);
            if let (true, Some(state), Some(own)) =
                (closed.is_ok(), plan.states.get(ask), plan.plans.get(ask))
            {
                closed = printer.call(&state.address, &own.record, call);
                if closed.is_err() {
                    stop.cancel();
                }
            }
        };
        let (outcomes, signal) = {
            let mut asked = pin!(run_asks(&self.context.lab, &plan.plans, at_once, &stop, &mut arrived));
            tokio::select! {
                biased;
                exit = stop_signal() => {
                    stop.cancel();
                    (asked.await?, Some(exit))
                }
                outcomes = &mut asked => (outcomes?, None),
            }
        };
        progress.clear();
        closed?;
        Ok((outcomes, signal))
    }

    /// Prints the report, the thresholds and the sweep that confirms it.
    fn report(&self, asked: &AskedSuite<'_>, printer: &mut Printer) -> Result<Exit, Failure> {
        let prices = load_prices(self.config.folders())?;
        let calls: Vec<Vec<AskCall>> = asked.asks.iter().map(|ask| ask.calls.clone()).collect();
        let table = SuiteTable::of(asked.states, &calls, asked.variants(), &prices);
        printer.table(asked, &table)?;
        let mut exit = Exit::Done;
        if table.rows.iter().any(|row| row.failed > 0) {
            exit = Exit::Partial;
        }
        for threshold in &self.thresholds {
            for result in threshold.results(asked.variants(), &table)? {
                printer.threshold(asked, threshold, &result)?;
                if !result.is_met && exit == Exit::Done {
                    exit = Exit::Threshold;
                }
            }
        }
        self.confirm(asked, &table, printer)?;
        Ok(exit)
    }

    fn confirm(
        &self,
        asked: &AskedSuite<'_>,
        table: &SuiteTable,
        printer: &mut Printer,
    ) -> Result<(), Failure> {
        let Some(file) = &self.args.confirm else { return Ok(()) };
        let sweep = confirming_sweep(&self.context.lab, self.suite, asked.variants(), table, self.config)?;
        let path = Some(PathBuf::from(file)).filter(|path| !path.as_os_str().is_empty());
        if let Some(path) = &path {
            output_file::write(path, sweep.as_bytes(), false)?;
        }
        Ok(printer.confirmation(asked.suite, &sweep, path.as_deref())?)
    }
}

/// Prints an ask about a suite as text or as JSON.
struct Printer {
    out: Output,
    json: bool,
}

impl Printer {
    fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.out.line(line))
    }

    fn plan(
        &mut self,
        suite: &Suite,
        plan: &SuitePlan,
        estimate: &mageyard_study::AskEstimate,
    ) -> io::Result<()> {
        if self.json {
            return self.out.record(&AskedRecord::planned(suite, plan, estimate));
        }
        self.lines(&text::plan_lines(suite, plan, estimate))
    }

    fn begin(&mut self, asked: &AskedSuite<'_>) -> io::Result<()> {
        if self.json {
            return self.out.record(&AskedRecord::stored(asked));
        }
        self.lines(&[text::asked_line(
            asked.suite,
            asked.states.len(),
            asked.asks.first().map(|ask| &ask.record),
        )])
    }

    /// A call that came back; as text the report has it.
    fn call(&mut self, address: &str, record: &AskRecord, call: &AskCall) -> io::Result<()> {
        if self.json {
            return self.out.record(&CallRecord::new(address, record, call, None));
        }
        Ok(())
    }

    fn table(&mut self, asked: &AskedSuite<'_>, table: &SuiteTable) -> io::Result<()> {
        if self.json {
            return records::print_report(asked, table, &mut self.out);
        }
        self.out.line("")?;
        self.out.column_blocks(&text::rows(asked.variants(), table), 1)?;
        let categories = text::categories(table);
        if !categories.is_empty() {
            self.out.line("")?;
            self.out.column_blocks(&categories, 1)?;
        }
        self.lines(&text::comparison_lines(table, "--confirm"))?;
        self.lines(&text::state_lines(asked.states, table))?;
        self.lines(&text::end_lines(asked, table))
    }

    fn threshold(
        &mut self,
        asked: &AskedSuite<'_>,
        threshold: &Threshold,
        result: &mageyard_study::ThresholdResult,
    ) -> io::Result<()> {
        if self.json {
            return self.out.record(&ThresholdRecord::new(asked.suite, threshold, result));
        }
        self.out.line(text::threshold_line(asked.variants(), threshold, result))
    }

    fn confirmation(&mut self, suite: &Suite, sweep: &str, path: Option<&std::path::Path>) -> io::Result<()> {
        if self.json {
            return self.out.record(&ConfirmRecord { suite: &suite.name, sweep, path });
        }
        match path {
            Some(path) => {
                self.out.line(format!("{}: `mageyard sweep plan {0}` shows what it costs", path.display()))
            }
            None => self.out.line(format!("\n{sweep}")),
        }
    }
}
