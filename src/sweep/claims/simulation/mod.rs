//! A simulation of many workers with the code of the protocol itself: they stop, pause, lose replies and have clocks at
//! different rates. A pause in the middle of an operation runs all other workers until it ends.

mod folder;
mod worker;
mod world;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::worker::Worker;
use self::world::World;
use super::order::CellOrder;
use super::timing::Timing;

/// What goes wrong, and how often per operation on the folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chaos {
    /// The process is killed.
    death: f64,
    /// The process is paused in the middle of an operation.
    nested_pause: f64,
    /// The process is paused between two steps of its work, per step.
    pause: f64,
    /// The operation happens, and the reply says that it failed.
    lost_reply: f64,
    /// The folder is out of reach of the process for a while.
    outage: f64,
    /// The largest deviation of the rate of a clock.
    clock_rate: f64,
    /// Whether a new owner replaces the journal by a copy.
    fences: bool,
    /// The number of lines of a complete journal.
    lines: usize,
    timing: Timing,
}

const CHAOS: Chaos = Chaos {
    death: 0.002,
    nested_pause: 0.001,
    pause: 0.02,
    lost_reply: 0.002,
    outage: 0.001,
    clock_rate: 0.04,
    fences: true,
    lines: 3,
    timing: Timing {
        heartbeat: Duration::from_secs(5),
        lease: Duration::from_secs(30),
        margin: Duration::from_secs(10),
    },
};

/// All workers and what they share.
pub(super) struct Simulation {
    world: Mutex<World>,
    workers: Mutex<Vec<Option<Worker>>>,
    cells: Arc<CellOrder>,
    chaos: Chaos,
}

impl Simulation {
    fn new(seed: u64, cells: usize, workers: usize, chaos: Chaos) -> Arc<Self> {
        let cells: Vec<String> = (0..cells).map(|number| format!("cell-{number:05}")).collect();
        let world = Mutex::new(World::new(seed, &cells));
        let cells = Arc::new(CellOrder::new(cells.iter().map(String::as_str)).unwrap());
        let simulation = Arc::new(Self { world, workers: Mutex::default(), cells, chaos });
        for number in 0..workers {
            let worker = Worker::start(number, &simulation);
            lock(&simulation.workers).push(Some(worker));
            simulation.world().schedule(number, Duration::from_millis(number as u64 * 20));
        }
        simulation
    }

    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// Runs all workers that are not paused until this time.
    fn run_until(self: &Arc<Self>, end: Duration) {
        loop {
            let Some(number) = self.world().next_event(end) else { return };
            let Some(mut worker) = lock(&self.workers)[number].take() else { continue };
            let after = worker.step(self);
            lock(&self.workers)[number] = Some(worker);
            if let Some(after) = after {
                self.world().schedule(number, after);
            }
        }
    }

    /// Runs until a worker has seen that all cells have ended, and returns what went wrong.
    fn run(self: &Arc<Self>) -> Vec<String> {
        // Nested pauses need stack.
        let simulation = self.clone();
        let run = move || simulation.run_until(Duration::from_secs(10_000));
        std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
        let world = self.world();
        world.errors.iter().cloned().chain(world.unfinished(self.cells.cells(), self.chaos.lines)).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn ten_thousand_cells_and_two_hundred_workers_lose_nothing_and_do_nothing_twice() {
    let simulation = Simulation::new(1, 10_000, 200, CHAOS);
    assert_eq!(simulation.run(), [""; 0]);
    let world = simulation.world();
    let counts = world.counts;
    assert!(counts.deaths > 50 && counts.pauses > 200 && counts.outages > 20 && counts.lost_replies > 50);
    assert!(counts.takeovers > 50 && counts.refused_writes > 0 && counts.late_writes > 5, "{counts:?}");
    assert!(counts.found_ended > 5, "{counts:?}");
}

#[test]
fn small_sweeps_with_more_chaos_end_too() {
    let chaos = Chaos { death: 0.01, nested_pause: 0.01, lost_reply: 0.02, outage: 0.01, lines: 12, ..CHAOS };
    for seed in 0..30 {
        let simulation = Simulation::new(seed, 60, 12, chaos);
        assert_eq!(simulation.run(), [""; 0], "seed {seed}");
    }
}

/// What 100 simulations in which most workers wait for the cells of others report.
fn errors_with(chaos: Chaos) -> usize {
    (0..100).map(|seed| Simulation::new(seed, 6, 12, chaos).run().len()).sum()
}

#[test]
fn without_a_margin_clocks_at_different_rates_do_harm() {
    let chaos = Chaos { outage: 0.01, clock_rate: 0.1, lines: 30, ..CHAOS };
    let timing = Timing { margin: Duration::from_millis(1), ..CHAOS.timing };
    assert!(errors_with(Chaos { timing, ..chaos }) > 0);
    assert_eq!(errors_with(chaos), 0);
}

#[test]
fn without_copies_late_writes_do_harm() {
    let chaos = Chaos { nested_pause: 0.01, lines: 30, ..CHAOS };
    assert!(errors_with(Chaos { fences: false, ..chaos }) > 0);
    assert_eq!(errors_with(chaos), 0);
}

#[test]
fn long_pauses_in_heartbeats_and_many_lost_replies_do_no_harm() {
    let chaos = Chaos { death: 0.0, nested_pause: 0.04, outage: 0.0, lines: 30, clock_rate: 0.1, ..CHAOS };
    assert_eq!(errors_with(chaos), 0);
    assert_eq!(errors_with(Chaos { lost_reply: 0.03, ..chaos }), 0);
}
