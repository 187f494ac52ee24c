//! A simulated worker: it claims cells, writes their journals line by line, and renews its claims.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::Simulation;
use super::folder::{SimulatedClock, SimulatedFolder, SimulatedProcesses};
use crate::claims::name::WorkerName;
use crate::claims::{Claim, Claims, End, Next};

pub(super) struct Worker {
    number: usize,
    folder: Arc<SimulatedFolder>,
    clock: Arc<SimulatedClock>,
    name: WorkerName,
    /// `None` until the plan is added.
    claims: Option<Claims>,
    work: Option<Work>,
}

/// A cell under way.
struct Work {
    claim: Claim,
    /// The journal file that is open.
    journal: usize,
    /// The number of its next line.
    next: usize,
    /// When the next heartbeat is due, on the clock of the simulation.
    heartbeat: Duration,
}

impl Worker {
    /// A process that was never there before, with a clock of its own.
    pub(super) fn start(number: usize, simulation: &Arc<Simulation>) -> Self {
        let (offset, rate, nonce) = {
            let mut world = simulation.world();
            let deviation = simulation.chaos.clock_rate * (2.0 * world.random() - 1.0);
            (world.seconds(0.0, 1e6), 1.0 + deviation, world.random().to_bits())
        };
        let simulation = simulation.clone();
        let clock = SimulatedClock { simulation: simulation.clone(), offset, rate };
        let folder = SimulatedFolder { simulation, dead: AtomicBool::new(false), outage: Mutex::default() };
        let name = WorkerName::unique(&format!("w{number}"), nonce);
        Self { number, folder: folder.into(), clock: clock.into(), name, claims: None, work: None }
    }

    /// Does one thing, and returns when to do the next.
    pub(super) fn step(&mut self, simulation: &Arc<Simulation>) -> Option<Duration> {
        let after =
            if self.work.is_some() { self.continue_cell(simulation) } else { self.search(simulation) };
        if self.folder.dead.load(Ordering::Relaxed) {
            let after = {
                let mut world = simulation.world();
                world.ended_processes.insert(self.name.to_string());
                world.seconds(0.5, 20.0)
            };
            *self = Self::start(self.number, simulation);
            return Some(after);
        }
        let mut world = simulation.world();
        let pauses = world.chance(simulation.chaos.pause);
        if pauses {
            world.counts.pauses += 1;
        }
        Some(after? + if pauses { world.pause() } else { Duration::ZERO })
    }

    fn search(&mut self, simulation: &Arc<Simulation>) -> Option<Duration> {
        let retry = Some(Duration::from_secs(1));
        if self.claims.is_none() {
            let folder = self.folder.clone();
            let clock = self.clock.clone();
            let timing = simulation.chaos.timing;
            let processes = Arc::new(SimulatedProcesses {
                simulation: simulation.clone(),
                name: self.name.to_string(),
                shares_machine: self.number.is_multiple_of(3),
            });
            let claims = Claims::with(folder, clock, processes, self.name.clone(), timing);
            let Ok(mut claims) = claims else { return retry };
            if claims.add_ordered(&simulation.cells).is_err() {
                return retry;
            }
            self.claims = Some(claims);
        }
        let claims = self.claims.as_mut()?;
        match claims.claim_next() {
            Ok(Next::Claimed(claim)) => {
                self.work = Some(open(claim, simulation));
                Some(Duration::ZERO)
            }
            Ok(Next::Wait(time)) => Some(time),
            Ok(Next::Ended) => {
                let mut world = simulation.world();
                world.ended = Some(world.now);
                None
            }
            Err(_) => retry,
        }
    }

    fn continue_cell(&mut self, simulation: &Arc<Simulation>) -> Option<Duration> {
        let mut work = self.work.take()?;
        // A worker that wakes up writes before it renews its claim: the worst order.
        if work.next < simulation.chaos.lines {
            if work.claim.guard().check().is_err() {
                simulation.world().counts.refused_writes += 1;
                return Some(Duration::from_secs(1));
            }
            self.accept(&work, simulation);
            self.folder.maybe_pause(1.0);
            write(&mut work, self.name.as_str(), simulation);
        }
        let now = simulation.world().now;
        if work.heartbeat <= now {
            let renewed = work.claim.heartbeat();
            if renewed.is_err_and(|error| error.is_lost()) {
                return Some(Duration::from_secs(1));
            }
            work.heartbeat = now + simulation.chaos.timing.heartbeat;
        }
        if work.next == simulation.chaos.lines {
            match work.claim.finish(&End::Done) {
                Err(error) if !error.is_lost() => self.work = Some(work),
                _ => {}
            }
            return Some(Duration::from_secs(1));
        }
        self.work = Some(work);
        Some(simulation.world().seconds(0.5, 4.0))
    }

    /// The guard has allowed a write: then no other worker may own the cell.
    fn accept(&self, work: &Work, simulation: &Simulation) {
        let mut world = simulation.world();
        if !world.owns(work.claim.cell(), self.name.as_str()) {
            let error = format!("{} wrote to {} and did not own it", self.name, work.claim.cell());
            world.errors.push(error);
        }
    }
}

/// Opens the journal of a claimed cell.
fn open(claim: Claim, simulation: &Simulation) -> Work {
    let mut world = simulation.world();
    world.counts.takeovers += u64::from(claim.taken_over);
    let journal = world.journal_of[claim.cell()];
    let next = world.journals[journal].len();
    Work { claim, journal, next, heartbeat: world.now + simulation.chaos.timing.heartbeat }
}

/// Writes the next line to the open journal file, at the place where the worker knows its end.
fn write(work: &mut Work, worker: &str, simulation: &Simulation) {
    let mut world = simulation.world();
    let named = world.journal_of[work.claim.cell()] == work.journal;
    if !named {
        world.counts.late_writes += 1;
    }
    let lines = world.journals[work.journal].len();
    if named && lines != work.next {
        let error = format!("line {} of {} was written twice", work.next, work.claim.cell());
        world.errors.push(error);
    }
    world.journals[work.journal].push(worker.to_owned());
    work.next += 1;
}
