//! Playing on from a step: the plan, the progress and the table, for the verbs that do it.

pub(super) mod records;
pub mod text;

use mageyard_study::run_continuations;
use std::io;
use std::pin::pin;

use indicatif::{ProgressBar, ProgressStyle};
use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::ComparisonFields;
use super::signals::stop_signal;
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;
use mageyard_study::{ContinuationOutcome, ContinuationPlan, ContinuationRow, EndedContinuation};

use self::records::ComparisonRecord;
use self::records::EndedRecord;
use self::records::PlanRecord;
pub(super) use self::records::RowFields;
use self::records::VariantRecord;
pub use self::text::needs as needs_text;
pub use self::text::plan_lines;
pub use self::text::row_cells;
pub use self::text::row_titles;

/// Plays on and prints.
pub(super) struct Continuations<'a> {
    context: &'a Context,
    config: &'a Config,
    store: Store,
    pub(super) out: Output,
    pub(super) json: bool,
    pub(super) jobs: usize,
}

/// What playing on has led to, and the signal that stopped it.
pub(super) struct Played {
    pub(super) outcome: ContinuationOutcome,
    pub(super) signal: Option<Exit>,
}

impl Played {
    /// The exit code; an error if branches failed.
    pub(super) fn exit(self) -> Result<Exit, Failure> {
        match (self.signal, self.outcome.failures.into_iter().next()) {
            (Some(exit), _) => Ok(exit),
            (None, Some(why)) => Err(unfinished(&why)),
            (None, None) if self.outcome.stored.iter().any(|one| !one.is_over()) => Ok(Exit::Partial),
            (None, None) => Ok(Exit::Done),
        }
    }
}

/// Not all continuations came to their end.
pub(super) fn unfinished(why: &str) -> Failure {
    let problem = Problem::new(format!("not every branch came to its end: {why}"));
    Failure::Problem(Exit::Partial, problem.with_help("the same command resumes those that are not over"))
}

impl<'a> Continuations<'a> {
    pub(super) fn new(context: &'a Context, config: &'a Config, json: bool, jobs: usize) -> Self {
        let store = Store::new(config.store_folder());
        Self { context, config, store, out: Output::open(), json, jobs }
    }

    /// What is played and what it needs at most.
    pub(super) fn print_plan(&mut self, run: &str, plan: &ContinuationPlan) -> Result<(), Failure> {
        let stored = plan.stored()?;
        if self.json {
            self.out.record(&PlanRecord::new(run, plan, &stored))?;
        } else {
            text::plan_lines(run, plan, &stored).iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(())
    }

    /// Plays on until all are over or a signal comes.
    pub(super) async fn play(&mut self, plan: &ContinuationPlan) -> Result<Played, Failure> {
        let over = plan.stored()?.iter().filter(|one| one.summary.is_some()).count();
        let bar = progress_bar(plan.count(), "of");
        bar.set_position(over as u64);
        let stop = CancellationToken::new();
        let mut closed: io::Result<()> = Ok(());
        let json = self.json;
        let store = &self.store;
        let out = &mut self.out;
        let mut ended = |one: &EndedContinuation| {
            bar.inc(1);
            if json && closed.is_ok() {
                closed = out.record(&EndedRecord::new(store, plan, one));
            }
            if closed.is_err() {
                stop.cancel();
            }
        };
        let (outcome, signal) = {
            let lab = &self.context.lab;
            let mut playing = pin!(run_continuations(lab, plan, self.config, self.jobs, &stop, &mut ended));
            tokio::select! {
                biased;
                exit = stop_signal() => {
                    stop.cancel();
                    (playing.await?, Some(exit))
                }
                outcome = &mut playing => (outcome?, None),
            }
        };
        bar.finish_and_clear();
        closed?;
        Ok(Played { outcome, signal })
    }

    /// The table and the comparisons.
    pub(super) fn print_table(
        &mut self,
        run: &str,
        plan: &ContinuationPlan,
        outcome: &ContinuationOutcome,
    ) -> io::Result<()> {
        let rows: Vec<ContinuationRow> = plan.rows(&outcome.stored);
        if self.json {
            let comparisons = ContinuationPlan::comparisons(&rows);
            for (index, (variant, row)) in plan.variants.iter().zip(&rows).enumerate() {
                self.out.record(&VariantRecord::new(run, index, variant, row))?;
            }
            return comparisons.iter().try_for_each(|comparison| {
                self.out.record(&ComparisonRecord { fields: ComparisonFields::new(run, comparison) })
            });
        }
        self.out.line("")?;
        self.out.column_blocks(&text::rows(plan, &rows), 1)?;
        text::result_lines(run, plan, &rows).iter().try_for_each(|line| self.out.line(line))
    }
}

/// A bar of the episodes that are over, `of` so many, on standard error if that is a terminal.
pub(super) fn progress_bar(all: usize, of: &str) -> ProgressBar {
    use std::io::IsTerminal;
    if !std::io::stderr().is_terminal() || crate::surroundings::is_dumb_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}} {of} {{len}} episodes"));
    let bar = ProgressBar::new(all as u64);
    style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style))
}
