//! Studies on the command line: the plan, the progress, the table and the exit code, the same for each kind. A kind adds its
//! JSON objects.

use std::io;

use indicatif::ProgressBar;
use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::progress_bar::{bar, is_shown};
use super::signals::stop_on_signal;
use mageyard_config::Problem;
use mageyard_study::{Samples, Study, StudyEnd, StudyEvent, StudySort, StudyTable, state_lines};

/// The JSON objects of a kind of study.
pub(crate) trait StudyRecords: Study {
    /// Prints the plan.
    fn print_plan(&self, out: &mut Output) -> io::Result<()>;

    /// Prints what happens while it is made.
    fn print_event(&self, event: StudyEvent<'_>, out: &mut Output) -> io::Result<()>;

    /// Prints the rows, the comparisons, and the end.
    fn print_table(&self, out: &mut Output) -> io::Result<()>;

    /// The table as text has it.
    fn text_table(&self) -> StudyTable {
        self.table(Samples::None)
    }
}

/// How a study ended, and the signal that stopped it.
pub(crate) struct Ended {
    end: StudyEnd,
    signal: Option<Exit>,
}

impl Ended {
    /// The exit code; an error if the calls or branches failed.
    pub(crate) fn exit(&self) -> Result<Exit, Failure> {
        let failed = |exit: Exit, help: &str| {
            let problem = Problem::new(self.end.failure().unwrap_or_default());
            Err(Failure::Problem(exit, problem.with_help(help)))
        };
        match (&self.end, self.signal) {
            (StudyEnd::Complete, _) => Ok(Exit::Done),
            (StudyEnd::Failing(_), _) => {
                failed(Exit::Failed, "the same command makes the calls that are missing")
            }
            (_, Some(signal)) => Ok(signal),
            (StudyEnd::Unfinished(_), None) => {
                failed(Exit::Partial, "the same command resumes those that are not over")
            }
            (StudyEnd::Partial | StudyEnd::Cancelled, None) => Ok(Exit::Partial),
        }
    }
}

/// Prints studies as text or as JSON.
pub(crate) struct StudyPrinter {
    pub(crate) out: Output,
    pub(crate) json: bool,
}

impl StudyPrinter {
    pub(crate) fn new(json: bool) -> Self {
        Self { out: Output::open(), json }
    }

    pub(crate) fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.out.line(line))
    }

    /// Prints the plan, makes what is missing and prints the table.
    pub(crate) async fn run(
        &mut self,
        study: &impl StudyRecords,
        context: &Context,
        dry_run: bool,
    ) -> Result<Exit, Failure> {
        match self.make(study, context, dry_run).await? {
            Some(ended) => ended.exit(),
            None => Ok(Exit::Done),
        }
    }

    /// The same, with how it ended; `None` for a dry run.
    pub(crate) async fn make(
        &mut self,
        study: &impl StudyRecords,
        context: &Context,
        dry_run: bool,
    ) -> Result<Option<Ended>, Failure> {
        if self.json {
            study.print_plan(&mut self.out)?;
        } else {
            self.lines(&study.plan_lines())?;
        }
        if dry_run {
            return Ok(None);
        }
        let ended = self.make_missing(study, context).await?;
        if self.json {
            study.print_table(&mut self.out)?;
        } else {
            self.table(&study.text_table())?;
        }
        Ok(Some(ended))
    }

    /// Makes what is missing, until a signal comes.
    async fn make_missing(&mut self, study: &impl StudyRecords, context: &Context) -> Result<Ended, Failure> {
        let stop = CancellationToken::new();
        let bar = study_bar(study);
        let mut closed: io::Result<()> = Ok(());
        let json = self.json;
        let out = &mut self.out;
        let mut report = |event: StudyEvent<'_>, done: usize| {
            bar.set_position(done as u64);
            if json && closed.is_ok() {
                closed = study.print_event(event, out);
                if closed.is_err() {
                    stop.cancel();
                }
            }
        };
        let (end, signal) = stop_on_signal(&stop, study.run(&context.lab, &stop, &mut report)).await;
        let end = end?;
        bar.finish_and_clear();
        closed?;
        Ok(Ended { end, signal })
    }

    /// The rows, the comparisons, and what follows them.
    pub(crate) fn table(&mut self, table: &StudyTable) -> io::Result<()> {
        // The rows of states are their views, which the table of states names.
        if !table.rows.is_empty() && table.sort != StudySort::States {
            self.out.line("")?;
            self.out.column_blocks(&table.cells(), 1)?;
        }
        if !table.categories.is_empty() {
            self.out.line("")?;
            self.out.column_blocks(&table.categories, 1)?;
        }
        self.lines(&table.tail)?;
        if table.sort == StudySort::Suite {
            self.lines(&state_lines(table))?;
        }
        self.lines(&table.end)
    }
}

/// A bar of what is there, on standard error if that is a terminal.
fn study_bar(study: &impl Study) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    let (of, noun) = match study.sort() {
        StudySort::Replies | StudySort::Suite | StudySort::States => ("of", "calls"),
        StudySort::ToEnd => ("of", "episodes"),
        StudySort::Blame => ("of at most", "episodes"),
    };
    let (done, all) = study.counts();
    bar(all, &format!("{{wide_bar}} {{pos}} {of} {{len}} {noun}")).with_position(done as u64)
}
