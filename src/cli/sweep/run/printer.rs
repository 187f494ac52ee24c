//! Prints the events of a sweep: a line for each cell that ends, or JSON objects, and a bar on a terminal.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use indicatif::ProgressBar;

use super::cell_end_record::CellEndRecord;
use super::cell_end_record::ReasonRecord;
use crate::diagnostics::print_message;
use crate::episode_output::{EpisodePrinter, EpisodeResult};
use crate::progress_bar::{bar, is_shown};
use crate::sweep::columns::coordinates_object;
use crate::sweep::orders::OrderRecord;
use mageyard_domain::sanitize;
use mageyard_lab::{EpisodeEvent, FinishedEpisode, RunEvent, Spending};
use mageyard_statistics::mean;
use mageyard_sweep::claims::End;
use mageyard_sweep::{PlannedCell, SweepEvent, SweepPlan};

/// What one process knows of the episodes of a cell.
#[derive(Default)]
struct CellTotals {
    episodes: usize,
    won: usize,
    scores: Vec<f64>,
}

/// Prints events and counts episodes.
pub(super) struct SweepPrinter {
    lines: EpisodePrinter,
    plan: Arc<SweepPlan>,
    spending: Arc<Spending>,
    bar: Option<ProgressBar>,
    cells: BTreeMap<usize, CellTotals>,
    /// Whether it was said that all cells that are left belong to other processes.
    said_waiting: bool,
}

impl SweepPrinter {
    /// A printer; with a `screen` nothing but the total is printed.
    pub(super) fn new(
        lines: EpisodePrinter,
        plan: Arc<SweepPlan>,
        spending: Arc<Spending>,
        screen: bool,
    ) -> Self {
        let bar = (!screen && is_shown()).then(|| {
            let episodes = plan.cells.iter().map(PlannedCell::episodes).sum();
            let bar = bar(episodes, "{wide_bar} {pos} of {len} episodes, {eta} left{msg}");
            bar.tick();
            bar
        });
        Self { lines, plan, spending, bar, cells: BTreeMap::new(), said_waiting: false }
    }

    /// Prints and counts an event.
    pub(super) fn show(&mut self, event: SweepEvent) -> io::Result<()> {
        match event {
            SweepEvent::Claimed { cell, taken_over, .. } => {
                self.cells.insert(cell, CellTotals::default());
                if taken_over {
                    let name = &self.plan.cells[cell].name;
                    self.message(&format!("{name}: taken over from a process that has stopped"));
                }
                Ok(())
            }
            SweepEvent::Episode(cell, event) => self.episode(cell, event),
            SweepEvent::Retry { cell, why, delay } => {
                let name = &self.plan.cells[cell].name;
                self.message(&format!("{name}: an episode is tried again in {} s: {why}", delay.as_secs()));
                Ok(())
            }
            SweepEvent::Ended(cell, end) => self.ended(cell, &end),
            SweepEvent::Lost(cell) => {
                let name = &self.plan.cells[cell].name;
                self.message(&format!(
                    "{name}: another process has taken this cell over, because this one stopped renewing it"
                ));
                Ok(())
            }
            SweepEvent::Ordered(given) if self.lines.json => {
                self.lines.out.record(&OrderRecord::new(&self.plan.name, &given))
            }
            SweepEvent::Ordered(given) => {
                self.message(&given.message(&self.plan.name));
                Ok(())
            }
            SweepEvent::Blocked(why) => {
                self.message(&format!("no episode starts: {}", sanitize(&why)));
                Ok(())
            }
            SweepEvent::Unblocked => {
                self.message("the orders can be followed again");
                Ok(())
            }
            SweepEvent::Waiting => {
                if !std::mem::replace(&mut self.said_waiting, true) {
                    self.message("the cells that are left belong to other processes; waiting for them");
                }
                Ok(())
            }
        }
    }

    fn episode(&mut self, cell: usize, EpisodeEvent { id, event, .. }: EpisodeEvent) -> io::Result<()> {
        match event {
            RunEvent::Note(note) => {
                let number = id.number.unwrap_or_default();
                self.message(&format!("{}, episode {number}: {note}", id.session_name()));
            }
            RunEvent::Finished(finished) => {
                self.count(cell, &finished);
                if self.lines.json {
                    let FinishedEpisode { head, summary } = &*finished;
                    let result = EpisodeResult { id: &id, head, summary, distances: None };
                    let line = self.lines.episode_line(&result)?;
                    return self.line(&line);
                }
            }
            RunEvent::Crashed => {
                self.message(&format!("{}: a bug in this program stopped an episode", id.session_name()));
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, cell: usize, finished: &FinishedEpisode) {
        let totals = self.cells.entry(cell).or_default();
        totals.episodes += 1;
        totals.won += usize::from(finished.summary.is_solved());
        totals.scores.extend(finished.summary.score);
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(mageyard_sweep::spent_text(&self.spending.total()));
        }
    }

    fn ended(&mut self, cell: usize, end: &End) -> io::Result<()> {
        let totals = self.cells.remove(&cell).unwrap_or_default();
        let (state, reason) = match end {
            End::Done => ("done", None),
            End::Failed(reason) => ("failed", Some(reason)),
            End::Parked(reason) => ("parked", Some(reason)),
            End::Release => ("queued", None),
        };
        let planned = &self.plan.cells[cell];
        let score = mean(totals.scores.iter().copied());
        if self.lines.json {
            return self.lines.out.record(&CellEndRecord {
                sweep: &self.plan.name,
                cell: &planned.name,
                state,
                reason: reason.map(|reason| ReasonRecord { class: &reason.class, text: &reason.text }),
                coordinates: coordinates_object(&planned.coordinates),
                planned: planned.episodes(),
                episodes: totals.episodes,
                solved: totals.won,
                score,
            });
        }
        if *end == End::Release {
            return Ok(());
        }
        let score = score.map_or(String::new(), |score| format!("  mean score {score:.2}"));
        let reason = reason.map_or(String::new(), |reason| format!("  {}: {}", reason.class, reason.text));
        let line = format!(
            "{state:<6}  {}  {} of {} episodes, {} won{score}{reason}",
            planned.name,
            totals.episodes,
            planned.episodes(),
            totals.won
        );
        self.line(&sanitize(&line))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        let out = &mut self.lines.out;
        match &self.bar {
            Some(bar) => bar.suspend(|| out.finished_line(line)),
            None => out.finished_line(line),
        }
    }

    /// A remark for people.
    fn message(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print_message(text)),
            None => print_message(text),
        }
    }

    /// Prints the sentence about all cells.
    pub(super) fn total(&mut self, sentence: &str) -> io::Result<()> {
        if self.lines.json { Ok(()) } else { self.lines.out.line(sanitize(sentence)) }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
