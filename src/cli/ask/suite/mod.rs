//! `ask SUITE`: the same variants on all states of a suite.

pub(crate) mod answers_record;
pub(crate) mod margin_record;
pub(crate) mod records;

use std::io;
use std::path::PathBuf;

use self::records::{AskedRecord, ConfirmRecord, ThresholdRecord, print_report};
use super::Args;
use super::control::print_controls;
use super::records::CallRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::output_file;
use crate::runtime::parallel_runtime;
use crate::session::kept_flags;
use crate::studies::{StudyPrinter, StudyRecords};
use mageyard_config::{Config, Problem, load_prices};
use mageyard_engine::Store;
use mageyard_study::{
    AskedSuite, Margin, Samples, StoredAsk, StoredSuiteAsk, StudyEvent, Suite, SuiteStudy, SuiteTable,
    Threshold, Variant, confirming_sweep, no_effect_on_suite, parse_suite, stored_suite_asks, suite_catalog,
    suite_file, suite_table, threshold_line,
};

/// Asks about a suite, or prints what was asked.
pub(super) fn run(args: &Args, context: &Context, config: &Config) -> Result<Exit, Failure> {
    let mut suite = read(args, context)?;
    if let Some(text) = &args.margin {
        suite.margin = Some(Margin::parse(text)?);
    }
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
    let mut ask = SuiteAsk { args, context, config, thresholds, printer: StudyPrinter::new(args.json) };
    parallel_runtime()?
        .block_on(async { if args.show { ask.show(&suite).await } else { ask.ask(suite).await } })
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

/// What plans the episodes that confirm a result.
const CONFIRM: &str = "--confirm";

/// An ask about a suite.
struct SuiteAsk<'a> {
    args: &'a Args,
    context: &'a Context,
    config: &'a Config,
    thresholds: Vec<Threshold>,
    printer: StudyPrinter,
}

impl SuiteAsk<'_> {
    /// Prints what is stored.
    async fn show(&mut self, suite: &Suite) -> Result<Exit, Failure> {
        let store = Store::new(self.config.store_folder());
        let stored = stored_suite_asks(&self.context.lab, suite, &store, self.config).await?;
        if stored.is_empty() {
            return Err(Problem::new(format!("nothing was asked about {}", suite.name)).into());
        }
        let prices = load_prices(self.config)?;
        let mut exit = Exit::Done;
        for one in &stored {
            let asks = one.asks.iter().collect();
            let asked = AskedSuite { suite, states: &one.states, asks, outcomes: None };
            let table = asked.table(&prices);
            if self.printer.json {
                self.printer.out.record(&AskedRecord::stored(&asked))?;
                print_report(&asked, &table, &mut self.printer.out)?;
            } else {
                let table = suite_table(&asked, &prices, CONFIRM, Samples::None);
                self.printer.out.line(&table.title)?;
                self.printer.table(&table)?;
            }
            let has_failed = table.rows.iter().any(|row| row.failed > 0);
            exit = self.checked(&asked, &table, if has_failed { Exit::Partial } else { Exit::Done })?;
        }
        for pair in stored.windows(2) {
            self.print_controls(suite, &pair[1], &pair[0])?;
        }
        Ok(exit)
    }

    /// Plans, prints the plan, makes the calls and prints the report.
    async fn ask(&mut self, suite: Suite) -> Result<Exit, Failure> {
        let lab = &self.context.lab;
        let asked = &self.args.asked;
        let request = asked.request(0, kept_flags(self.context));
        let wanted = (&request, asked.concurrency);
        let study = SuiteStudy::plan(lab, suite, wanted, self.config, CONFIRM.to_owned()).await?;
        self.check_thresholds(&study)?;
        if let Some(margin) = &study.suite.margin {
            self.check_margin(margin, study.plan.variants())?;
        }
        let made = self.printer.make(&study, self.context, self.args.dry_run).await?;
        let Some(ended) = made else { return Ok(Exit::Done) };
        let exit = ended.exit();
        let before = exit.as_ref().map_or(Exit::Failed, |exit| *exit);
        let checked = study.with_asked(|asked| self.checked(asked, &asked.table(&study.prices), before))?;
        self.compare_with_earlier(&study).await?;
        exit.map(|_| checked)
    }

    /// Compares the ask with the other stored ones, request by request.
    async fn compare_with_earlier(&mut self, study: &SuiteStudy) -> Result<(), Failure> {
        let store = Store::new(self.config.store_folder());
        let stored = stored_suite_asks(&self.context.lab, &study.suite, &store, self.config).await?;
        let id = study.with_asked(|asked| asked.asks.first().map(|ask| ask.record.id()));
        let is_own = |one: &StoredSuiteAsk| one.asks.iter().any(|ask| Some(ask.record.id()) == id);
        let (own, others): (Vec<StoredSuiteAsk>, Vec<StoredSuiteAsk>) = stored.into_iter().partition(is_own);
        for other in &others {
            own.iter().try_for_each(|own| self.print_controls(&study.suite, own, other))?;
        }
        Ok(())
    }

    fn print_controls(
        &mut self,
        suite: &Suite,
        one: &StoredSuiteAsk,
        other: &StoredSuiteAsk,
    ) -> io::Result<()> {
        let one: Vec<&StoredAsk> = one.asks.iter().collect();
        let other: Vec<&StoredAsk> = other.asks.iter().collect();
        print_controls(&mut self.printer, &suite.name, (&one, &other))
    }

    /// Refuses, before the first call, a threshold on what cannot be judged and one for a variant that is not asked.
    fn check_thresholds(&self, study: &SuiteStudy) -> Result<(), Problem> {
        for threshold in &self.thresholds {
            threshold.variants(study.plan.variants())?;
            let measure = threshold.measure;
            if study.plan.states.iter().all(|state| measure.is_met(state, None).is_none()) {
                let problem = Problem::new(format!("--threshold: {measure} cannot be judged in any state"));
                return Err(
                    problem.with_help("use accepted or readable, or list the right actions with accept")
                );
            }
        }
        Ok(())
    }

    /// Refuses, before the first call, a margin without a variant to compare with. A margin of the file is for asks that compare
    /// variants, and does nothing in others.
    fn check_margin(&self, margin: &Margin, variants: &[Variant]) -> Result<(), Problem> {
        let checked = margin.base(variants);
        if self.args.margin.is_some() { checked.map(|_| ()) } else { Ok(()) }
    }

    /// Whether a variant may be worse than the margin allows.
    fn exceeds_margin(asked: &AskedSuite<'_>, table: &SuiteTable) -> Result<bool, Problem> {
        let Some(margin) = &asked.suite.margin else { return Ok(false) };
        let results = margin.results(asked.variants(), table)?;
        Ok(results.iter().any(|found| !found.verdict.is_kept()))
    }

    /// Prints the thresholds and the sweep that confirms the result. A threshold that is missed, or a margin that is not kept, is the
    /// exit code of what is done.
    fn checked(&mut self, asked: &AskedSuite<'_>, table: &SuiteTable, exit: Exit) -> Result<Exit, Failure> {
        let mut is_missed = Self::exceeds_margin(asked, table)?;
        for threshold in &self.thresholds {
            for result in threshold.results(asked.variants(), table)? {
                if self.printer.json {
                    self.printer.out.record(&ThresholdRecord::new(asked.suite, threshold, &result))?;
                } else {
                    self.printer.out.line(threshold_line(asked.variants(), threshold, &result))?;
                }
                is_missed |= !result.is_met;
            }
        }
        self.confirm(asked, table)?;
        Ok(if is_missed && exit == Exit::Done { Exit::Threshold } else { exit })
    }

    fn confirm(&mut self, asked: &AskedSuite<'_>, table: &SuiteTable) -> Result<(), Failure> {
        let Some(file) = &self.args.confirm else { return Ok(()) };
        let sweep = confirming_sweep(&self.context.lab, asked.suite, asked.variants(), table, self.config)?;
        let path = Some(PathBuf::from(file)).filter(|path| !path.as_os_str().is_empty());
        if let Some(path) = &path {
            output_file::write(path, sweep.as_bytes(), false)?;
        }
        let StudyPrinter { out, json } = &mut self.printer;
        let printed = match path.as_deref() {
            path if *json => out.record(&ConfirmRecord { suite: &asked.suite.name, sweep: &sweep, path }),
            Some(path) => {
                out.line(format!("{}: `mageyard sweep plan {0}` shows what it costs", path.display()))
            }
            None => out.line(format!("\n{sweep}")),
        };
        Ok(printed?)
    }
}

impl StudyRecords for SuiteStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        out.record(&AskedRecord::planned(&self.suite, &self.plan, self.needs()))
    }

    fn print_event(&self, event: StudyEvent<'_>, out: &mut Output) -> io::Result<()> {
        let StudyEvent::Call(index, call) = event else { return Ok(()) };
        let place = self.plan.states.get(index).zip(self.plan.plans.get(index));
        place.map_or(Ok(()), |(state, plan)| {
            out.record(&CallRecord::new(&state.address, &plan.record, call, None))
        })
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        self.with_asked(|asked| print_report(asked, &asked.table(&self.prices), out))
    }
}
