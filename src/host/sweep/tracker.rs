//! Keeps the view of a run up to date with its events.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::cell_results::CellResults;
use super::running::RunningEpisodes;
use mageyard_cli::exit::Failure;
use mageyard_domain::{Prices, count_noun};
use mageyard_lab::{EpisodeEvent, Lab, RunEvent, Spending};
use mageyard_screen::{CellPhase, Incident, IncidentKind, LimitUse, SweepView};
use mageyard_sweep::claims::End;
use mageyard_sweep::spent_text;
use mageyard_sweep::{ControlState, GivenOrder, Order, SweepEnd, SweepEvent, SweepRun};

/// The shortest time between two views: what arrives meanwhile is shown together.
const SHORTEST: Duration = Duration::from_millis(100);

/// The remark on a cell that another process began.
const TAKEN_OVER: &str = "taken over from a process that has stopped";

/// The channel of views.
type Views = watch::Sender<Arc<SweepView>>;

/// The view of a run, and what it is made of.
pub(crate) struct Tracker {
    lab: Lab,
    spending: Arc<Spending>,
    view: SweepView,
    prices: Prices,
    /// The results of each cell that are known in this process.
    results: Vec<CellResults>,
    running: RunningEpisodes,
    started: Instant,
    /// The episodes that were played in this process.
    played: u32,
}

impl Tracker {
    /// A tracker that begins with this view of what is on disk.
    pub(crate) fn new(lab: Lab, (spending, prices): (Arc<Spending>, Prices), view: SweepView) -> Self {
        let results = vec![CellResults::default(); view.cells.len()];
        let running = RunningEpisodes::default();
        let started = Instant::now();
        let mut tracker = Self { lab, spending, view, prices, results, running, started, played: 0 };
        tracker.refresh();
        tracker
    }

    /// The view now.
    pub(crate) fn view(&self) -> SweepView {
        self.view.clone()
    }

    /// Follows a run to its end, and shows each change.
    pub(crate) async fn follow(mut self, mut run: SweepRun, shown: Views) -> Result<SweepEnd, Failure> {
        let mut due = Instant::now();
        let mut changed = false;
        loop {
            let event = tokio::select! {
                event = run.next() => event,
                () = tokio::time::sleep_until(due), if changed => {
                    (due, changed) = (Instant::now() + SHORTEST, false);
                    self.show(&shown);
                    continue;
                }
            };
            let Some(event) = event else { break };
            self.apply(event);
            changed = true;
        }
        let end = run.end().await?;
        self.view.has_ended = true;
        self.view.note = end_text(&end);
        self.show(&shown);
        Ok(end)
    }

    fn show(&mut self, shown: &Views) {
        self.refresh();
        shown.send_replace(Arc::new(self.view.clone()));
    }

    fn apply(&mut self, event: SweepEvent) {
        match event {
            SweepEvent::Claimed { cell, episodes, taken_over } => {
                let view = &mut self.view.cells[cell];
                (view.state, view.planned) = (CellPhase::Running, episodes);
                self.results[cell] = CellResults::default();
                self.results[cell].write_into(view);
                view.note = if taken_over { TAKEN_OVER.to_owned() } else { String::new() };
            }
            SweepEvent::Episode(cell, event) => self.apply_episode(cell, &event),
            SweepEvent::Retry { cell, why, delay } => {
                self.view.cells[cell].note = format!("again in {} s: {why}", delay.as_secs());
                Incident::count_in(&mut self.view.incidents, IncidentKind::Retried, "", &why);
            }
            SweepEvent::Ended(cell, end) => self.end_cell(cell, end),
            SweepEvent::Lost(cell) => {
                self.running.forget(cell);
                "taken over by another process".clone_into(&mut self.view.cells[cell].note);
            }
            SweepEvent::Ordered(given) => self.apply_order(given),
            SweepEvent::Blocked(why) => self.view.note = format!("no episode starts: {why}"),
            SweepEvent::Unblocked => self.view.note.clear(),
            SweepEvent::Waiting => {
                "the cells that are left belong to other processes; waiting for them"
                    .clone_into(&mut self.view.note);
            }
        }
    }

    fn apply_episode(&mut self, cell: usize, event: &EpisodeEvent) {
        self.running.apply(cell, event);
        let view = &mut self.view.cells[cell];
        match &event.event {
            RunEvent::Finished(finished) => {
                self.played += 1;
                let results = &mut self.results[cell];
                results.add(&finished.summary, finished.head.model(), &self.prices);
                results.write_into(view);
            }
            RunEvent::Parked(_, parking) => view.note = format!("parked: {}", parking.why()),
            RunEvent::Note(note) => view.note.clone_from(note),
            _ => {}
        }
    }

    fn apply_order(&mut self, given: GivenOrder) {
        let name = &self.view.name;
        match &given.order {
            Order::Pause => self.view.control = ControlState::Paused { by: given }.lines(name),
            Order::Resume => {
                self.view.control.clear();
                self.view.note = given.message(name);
            }
            _ => self.view.note = given.message(name),
        }
    }

    fn end_cell(&mut self, cell: usize, end: End) {
        self.running.forget(cell);
        let incident = match &end {
            End::Failed(reason) => Some((IncidentKind::Failed, reason)),
            End::Parked(reason) => Some((IncidentKind::Parked, reason)),
            End::Done | End::Release => None,
        };
        if let Some((kind, reason)) = incident {
            Incident::count_in(&mut self.view.incidents, kind, &reason.class, &reason.text);
        }
        let view = &mut self.view.cells[cell];
        (view.state, view.note) = match end {
            End::Done => (CellPhase::Done, String::new()),
            End::Failed(reason) => (CellPhase::Failed, format!("{}: {}", reason.class, reason.text)),
            End::Parked(reason) => (CellPhase::Parked, reason.text),
            End::Release => (CellPhase::Queued, String::new()),
        };
    }

    /// Computes the rate, the time that is left, and what was spent.
    fn refresh(&mut self) {
        let total = self.spending.total();
        let spent = spent_text(&total);
        spent.trim_start_matches(", ").clone_into(&mut self.view.spent);
        self.view.limits = self.spending.used(&total).into_iter().map(limit_use).collect();
        self.view.running = self.running.shown(&self.lab);
        let loads = self.lab.endpoint_loads();
        let servers = loads.iter().map(|(url, load)| {
            let limits = match load.rate_limited {
                0 => String::new(),
                count => format!(", {count} rate limits"),
            };
            let shared = match load.processes {
                1 => String::new(),
                count => format!(" among {count} processes"),
            };
            let problem = load.problem.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
            format!("{url}: at most {}{shared}{limits}{problem}", requests_at_once(load.limit, load.most))
        });
        self.view.servers = servers.collect::<Vec<_>>().join("   ");
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        let rate = f64::from(self.played) / minutes;
        self.view.rate = (self.played > 0 && minutes > 0.0).then_some(rate);
        let (finished, planned) = self
            .view
            .cells
            .iter()
            .fold((0, 0), |(finished, planned), cell| (finished + cell.finished, planned + cell.planned));
        let left = u32::try_from(planned.saturating_sub(finished)).map_or(f64::INFINITY, f64::from);
        let seconds = self.view.rate.filter(|_| self.view.control.is_empty()).map(|rate| left / rate * 60.0);
        self.view.left = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    }
}

/// A limit as the dashboard shows it.
fn limit_use((name, text, share): (&str, String, f64)) -> LimitUse {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
    let share = (share * 1000.0).clamp(0.0, 1000.0) as u16;
    LimitUse { name: name.to_owned(), text, share }
}

/// How many requests a server may get at once now, and how many the settings allow.
fn requests_at_once(limit: usize, most: usize) -> String {
    let requests = count_noun(limit, "request", "requests");
    if limit < most { format!("{requests} at once of {most} allowed") } else { format!("{requests} at once") }
}

fn end_text(end: &SweepEnd) -> String {
    match end {
        SweepEnd::Complete => "the sweep is complete: q quits".to_owned(),
        SweepEnd::Stopped => "stopped: q quits".to_owned(),
        SweepEnd::Limit(why) | SweepEnd::Cancelled(why) | SweepEnd::Mismatch(why) => {
            format!("{why}: q quits")
        }
        SweepEnd::Endpoint(failure) => {
            format!("stopped after {} failures of the server in a row: {}", failure.count, failure.last)
        }
    }
}
