//! Prints the events of a run. Text is in the order of the levels, whichever episode is faster; every JSON line names
//! its episode, so these are printed at once.

use std::io;

use super::counts::BatchCounts;
use super::in_order::InOrder;
use super::person::ask_person;
use super::progress::Progress;
use super::wait_notices::WaitNotices;
use crate::diagnostics::{print_message, print_problem};
use crate::episode_output::{Beside, EpisodePrinter, EpisodeResult};
use crate::exit::{Exit, Failure};
use mageyard_agents::RepeatedFailure;
use mageyard_config::Problem;
use mageyard_domain::{AgentError, EndpointFailure, Treatment};
use mageyard_engine::{DriverError, Head};
use mageyard_lab::{EpisodeEvent, EpisodeId, EpisodeWait, FinishedEpisode, Parking, RunEvent};

/// Something to print.
enum Item {
    Line(String),
    Problem(Problem),
    /// A failure of the model server. Other episodes may fail in the same way, so it waits until one does not.
    EndpointFailure(Problem),
}

/// Prints events and counts episodes.
pub(super) struct RunPrinter {
    pub(super) lines: EpisodePrinter,
    pub(super) counts: BatchCounts,
    /// What ended the run, if an episode did.
    pub(super) fatal: Option<Failure>,
    progress: Progress,
    order: InOrder<Item>,
    /// Failures of the model server since an episode went on.
    held: Vec<Problem>,
    wait_notices: WaitNotices,
    /// The `--store` flag for commands that resume.
    pub(super) store_flag: String,
}

impl RunPrinter {
    pub(super) fn new(lines: EpisodePrinter, progress: Progress, store_flag: String) -> Self {
        Self {
            lines,
            counts: BatchCounts::default(),
            fatal: None,
            progress,
            order: InOrder::new(),
            held: Vec::new(),
            wait_notices: WaitNotices::default(),
            store_flag,
        }
    }

    /// Prints and counts an event.
    pub(super) fn show(&mut self, event: EpisodeEvent) -> io::Result<()> {
        let EpisodeEvent { index, id, event } = event;
        let is_end = event.is_end();
        let item = self.item(&id, event)?;
        let ready = match item {
            Some(item) if self.lines.json => vec![item],
            Some(item) => self.order.push(index, item),
            None => Vec::new(),
        };
        self.print(ready)?;
        if is_end {
            let ready = self.order.end(index);
            self.print(ready)?;
            self.progress.show(&self.counts);
        }
        Ok(())
    }

    /// Shows what the episodes wait for: on a terminal in one line that is replaced, elsewhere only the beginning of a
    /// long wait.
    pub(super) fn show_waits(&mut self, waits: &[EpisodeWait]) {
        if !self.progress.show_waits(waits) {
            for notice in &self.wait_notices.new_ones(waits) {
                print_message(notice);
            }
        }
    }

    /// Prints what is left after the last event. A failure that stopped the run is printed once.
    pub(super) fn finish(&mut self, failure: Option<&RepeatedFailure>, session: &str) -> io::Result<()> {
        self.progress.end();
        let rest = self.order.finish();
        let repeated = failure.map(|failure| self.repeated_failure(failure, session));
        let items =
            rest.into_iter().filter(|item| repeated.is_none() || !matches!(item, Item::EndpointFailure(_)));
        let items = items.collect();
        self.print(items)?;
        let held = std::mem::take(&mut self.held);
        match repeated {
            Some(problem) => self.problem(&problem),
            None => {
                for problem in &held {
                    self.problem(problem);
                }
            }
        }
        Ok(())
    }

    /// Prints a summary if there was more than one episode.
    pub(super) fn total(&mut self) -> io::Result<()> {
        match self.counts.summary() {
            Some(sentence) if !self.lines.json => self.lines.out.line(sentence),
            _ => Ok(()),
        }
    }

    fn print(&mut self, items: Vec<Item>) -> io::Result<()> {
        for item in items {
            match item {
                Item::Line(line) => {
                    for problem in std::mem::take(&mut self.held) {
                        self.problem(&problem);
                    }
                    let out = &mut self.lines.out;
                    self.progress.hide_while(|| out.finished_line(&line))?;
                }
                Item::Problem(problem) => self.problem(&problem),
                Item::EndpointFailure(problem) => self.held.push(problem),
            }
        }
        Ok(())
    }

    fn problem(&mut self, problem: &Problem) {
        self.progress.hide_while(|| print_problem(problem));
    }

    /// Counts an event; returns what is printed for it.
    fn item(&mut self, id: &EpisodeId, event: RunEvent) -> io::Result<Option<Item>> {
        Ok(match event {
            RunEvent::Note(note) => Some(Item::Problem(Problem::new(note))),
            RunEvent::Step(head, step, terms) => {
                let beside = Beside { terms: terms.as_ref(), ..Beside::default() };
                Some(Item::Line(self.lines.step_line(id, &head, &step, &beside)?))
            }
            RunEvent::Finished(finished) => Some(self.finished(id, &finished)?),
            RunEvent::Asks(asks) => {
                self.progress.hide_while(|| ask_person(asks));
                None
            }
            RunEvent::Parked(head, parking) => Some(Item::Problem(self.parked(id, &head, &parking))),
            RunEvent::Failed(head, error) => self.failed(&head, &error),
            RunEvent::Refused(error) => {
                self.fatal.get_or_insert(error.into());
                None
            }
            RunEvent::Crashed => {
                self.counts.faults += 1;
                let name = id.session_name();
                let number = id.number.unwrap_or_default();
                Some(Item::Problem(Problem::new(format!(
                    "{name}/{number:04}: the program failed in this episode"
                ))))
            }
            RunEvent::Stopped => None,
        })
    }

    fn finished(
        &mut self,
        id: &EpisodeId,
        FinishedEpisode { head, summary }: &FinishedEpisode,
    ) -> io::Result<Item> {
        self.counts.count(summary);
        let result = EpisodeResult { id, head, summary, distances: None };
        self.lines.episode_line(&result).map(Item::Line)
    }

    /// An error that concerns only this episode is counted; a mismatch ends the run.
    fn failed(&mut self, head: &Head, error: &DriverError) -> Option<Item> {
        let problem = Problem::new(format!("{}: {error}", head.reference));
        if let DriverError::Agent(AgentError::MemoryMismatch(_) | AgentError::ReplayMismatch(_)) = error {
            self.fatal.get_or_insert(Failure::Problem(Exit::Mismatch, problem));
            return None;
        }
        self.counts.faults += 1;
        match error {
            DriverError::Agent(error) if EndpointFailure::of(error).is_some() => {
                Some(Item::EndpointFailure(problem))
            }
            _ => Some(Item::Problem(problem)),
        }
    }

    fn parked(&mut self, id: &EpisodeId, head: &Head, parking: &Parking) -> Problem {
        self.counts.parked += 1;
        let name = id.session_name();
        let store = &self.store_flag;
        let problem = Problem::new(format!("{}: parked {parking}", head.reference));
        problem.with_help(format!(
            "resume it with `mageyard run --resume {name}{store}`, or on the screen with `mageyard play --resume {name}{store}`"
        ))
    }

    fn repeated_failure(&self, failure: &RepeatedFailure, session: &str) -> Problem {
        let RepeatedFailure { class, count, last } = failure;
        let resume = format!("resume it with `mageyard run --resume {session}{}`", self.store_flag);
        if class.treatment() == Treatment::StopRun {
            let problem = Problem::new(format!("the run stopped, because every request would fail: {last}"));
            return problem.with_help(format!("{}, then {resume}", remedy(*class)));
        }
        let problem = Problem::new(format!("the run stopped after {count} equal failures in a row: {last}"));
        problem.with_help(format!("{resume}; run.failure_limit sets the number of failures"))
    }
}

/// What to do about a failure that every request would have.
fn remedy(class: EndpointFailure) -> &'static str {
    match class {
        EndpointFailure::InvalidKey
        | EndpointFailure::Status(401)
        | EndpointFailure::WithinReply(Some(401)) => {
            "set a valid key in the variable that model.key_variable names"
        }
        EndpointFailure::QuotaExhausted(_) => {
            "add quota or money to the account, use another key, or wait until a limit per day is renewed"
        }
        EndpointFailure::Certificate => "correct the certificates or model.base_url",
        EndpointFailure::Status(403) | EndpointFailure::WithinReply(Some(403)) => {
            "use a key that may use this model, or another model"
        }
        _ => "correct the settings of the server",
    }
}
