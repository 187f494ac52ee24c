//! Step and frame rates in one room of each size.

use std::hint::black_box;
use std::time::Duration;

use serde::Serialize;

use super::clock::rate_per_second;
use super::measurement::Measurement;
use crate::cli::output::with_thousands;
use crate::config::Problem;
use crate::domain::Action;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::World;
use crate::envs::Direction;
use crate::envs::EpisodeEnd;
use crate::envs::FastRoom;
use crate::envs::Room;
use crate::envs::RoomBatch;
use crate::lab::SelectedLevel;

/// Steps after which a room restarts, as in gym-sokoban.
const EPISODE_STEPS: u16 = 200;
/// Rooms in a batch.
const BATCH_SIZE: u16 = 256;
/// Columns of a table; further sizes get another table.
const SIZES_PER_TABLE: usize = 4;

/// A measurement with its name.
struct Benchmark {
    name: &'static str,
    run: fn(&BenchContext<'_>) -> Result<f64, Problem>,
}

#[rustfmt::skip]
const STEP_BENCHMARKS: &[Benchmark] = &[
    Benchmark { name: "step", run: step },
    Benchmark { name: "step-batch", run: step_rooms },
    Benchmark { name: "step-squares", run: step_and_encode },
    Benchmark { name: "world-step", run: step_room },
    Benchmark { name: "world-step-observe", run: step_and_observe },
];

#[rustfmt::skip]
const FRAME_BENCHMARKS: &[Benchmark] = &[
    Benchmark { name: "step-whole-frame", run: |bench| frames(bench, FastRoom::paint) },
    Benchmark { name: "step-changed-frame", run: |bench| frames(bench, FastRoom::repaint) },
    Benchmark { name: "fill-frame", run: |bench| frames(bench, |_, rgb| fill(rgb)) },
    Benchmark { name: "batch-whole-frame", run: |bench| batch_frames(bench, |rooms, rgb| rooms.paint(rgb).is_ok()) },
    Benchmark { name: "batch-changed-frame", run: |bench| batch_frames(bench, |rooms, rgb| rooms.repaint(rgb).is_ok()) },
    Benchmark { name: "fill-batch", run: |bench| batch_frames(bench, |_, rgb| fill(rgb)) },
];

/// The benchmarks of a table and their unit; empty for tables that need no rooms.
fn benchmarks(part: Measurement) -> (&'static [Benchmark], &'static str) {
    match part {
        Measurement::Steps => (STEP_BENCHMARKS, "steps/s"),
        Measurement::Frames => (FRAME_BENCHMARKS, "frames/s"),
        Measurement::Generate | Measurement::Solve => (&[], ""),
    }
}

/// Whether a measurement needs rooms that can be stepped.
pub(super) fn needs_rooms(part: Measurement) -> bool {
    !benchmarks(part).0.is_empty()
}

/// A sample room of one size (rows, columns).
pub(super) struct RoomSize<'a> {
    chosen: &'a SelectedLevel,
    size: (usize, usize),
}

/// The first room of each size that is not solved at the start.
pub(super) fn distinct_sizes(chosen: &[SelectedLevel]) -> Vec<RoomSize<'_>> {
    let mut sizes: Vec<RoomSize<'_>> = Vec::new();
    for chosen in chosen {
        let Ok(arena) = FastRoom::new(&chosen.level, &Options::new()) else { continue };
        if !arena.is_solved() && sizes.iter().all(|one| one.size != arena.size()) {
            sizes.push(RoomSize { chosen, size: arena.size() });
        }
    }
    sizes
}

/// A measured rate.
#[derive(Serialize)]
pub(super) struct Rate {
    reference: String,
    rows: usize,
    columns: usize,
    measure: &'static str,
    value: f64,
    unit: &'static str,
}

/// Measures all benchmarks of a table within `share`.
pub(super) fn measure(
    part: Measurement,
    sizes: &[RoomSize<'_>],
    clock: &dyn Fn() -> Duration,
    share: Duration,
) -> Result<Vec<Rate>, Problem> {
    let (table, unit) = benchmarks(part);
    let least = share / u32::try_from(table.len() * sizes.len()).unwrap_or(u32::MAX).max(1);
    let mut rates = Vec::new();
    for row in table {
        for RoomSize { chosen, size: (rows, columns) } in sizes {
            let value = (row.run)(&BenchContext { chosen, clock, min_time: least })?;
            let (reference, measure) = (chosen.reference.clone(), row.name);
            rates.push(Rate { reference, rows: *rows, columns: *columns, measure, value, unit });
        }
    }
    Ok(rates)
}

/// Tables with one row per benchmark and one column per size.
pub(super) fn tables(part: Measurement, rates: &[Rate]) -> Vec<Vec<Vec<String>>> {
    let (rows, unit) = benchmarks(part);
    let lines: Vec<&[Rate]> = rates.chunks((rates.len() / rows.len().max(1)).max(1)).collect();
    let sizes = lines.first().map_or(0, |line| line.len());
    let table = |from: usize| {
        let abreast = |line: &&[Rate], cell: fn(&Rate) -> String| {
            line.iter().skip(from).take(SIZES_PER_TABLE).map(cell).collect::<Vec<_>>()
        };
        let head = abreast(&lines[0], |rate| format!("{}x{}", rate.rows, rate.columns));
        let named = |name: &str, cells: Vec<String>| std::iter::once(name.to_owned()).chain(cells).collect();
        let line = |line: &&[Rate]| named(line[0].measure, abreast(line, |rate| with_thousands(rate.value)));
        std::iter::once(named(unit, head)).chain(lines.iter().map(line)).collect()
    };
    (0..sizes).step_by(SIZES_PER_TABLE).map(table).collect()
}

/// A room, the clock, and the minimum duration.
struct BenchContext<'a> {
    chosen: &'a SelectedLevel,
    clock: &'a dyn Fn() -> Duration,
    min_time: Duration,
}

impl BenchContext<'_> {
    fn rate(&self, work: impl FnMut() -> u32) -> f64 {
        rate_per_second(self.clock, self.min_time, work)
    }

    fn arena(&self) -> Result<FastRoom, Problem> {
        FastRoom::new(&self.chosen.level, &Options::new()).map_err(|error| self.problem(&error))
    }

    fn rooms(&self) -> Result<RoomBatch, Problem> {
        let levels = vec![self.chosen.level.clone(); usize::from(BATCH_SIZE)];
        RoomBatch::new(&levels, &Options::new(), u32::from(EPISODE_STEPS))
            .map_err(|error| self.problem(&error))
    }

    fn room(&self) -> Result<Room, Problem> {
        Room::new(&self.chosen.level, &Options::new()).map_err(|error| self.problem(&error))
    }

    fn problem(&self, error: &OptionError) -> Problem {
        Problem::new(format!("{}: {error}", self.chosen.reference))
    }
}

/// Random actions, the same in every run: too many for branch prediction to learn.
fn random_actions() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u8::try_from(state >> 62).unwrap_or(0)
    };
    (0..EPISODE_STEPS as usize * 400).map(next).collect()
}

/// Steps a room through all actions, restarting after each episode, and calls `after` after each step.
fn step_arena(room: &mut FastRoom, actions: &[u8], mut after: impl FnMut(&mut FastRoom)) -> u32 {
    for episode in actions.chunks(usize::from(EPISODE_STEPS)) {
        room.reset();
        for action in episode {
            black_box(room.step(Direction::ALL[usize::from(action & 3)]));
            after(room);
        }
    }
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}

fn step(bench: &BenchContext<'_>) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, random_actions());
    Ok(bench.rate(|| step_arena(&mut room, &actions, |_| ())))
}

fn step_and_encode(bench: &BenchContext<'_>) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, random_actions());
    let (rows, columns) = room.size();
    let mut states = vec![0; rows * columns];
    Ok(bench
        .rate(|| step_arena(&mut room, &actions, |room| assert_filled(room.encode(black_box(&mut states))))))
}

fn frames(bench: &BenchContext<'_>, paint: fn(&mut FastRoom, &mut [u8]) -> bool) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, random_actions());
    let (mut rgb, actions) = (vec![0; room.bytes()], &actions[..usize::from(EPISODE_STEPS) * 2]);
    Ok(bench.rate(|| step_arena(&mut room, actions, |room| assert_filled(paint(room, black_box(&mut rgb))))))
}

/// Fills a frame's bytes with one value: the lower limit for full frames.
fn fill(rgb: &mut [u8]) -> bool {
    rgb.fill(black_box(7));
    true
}

/// Buffers here always have the right size.
fn assert_filled(whole: bool) {
    debug_assert!(whole);
}

/// Steps a batch through all actions, and calls `after` after each step.
fn step_batch(rooms: &mut RoomBatch, actions: &[u8], mut after: impl FnMut(&mut RoomBatch)) -> u32 {
    let size = usize::from(BATCH_SIZE);
    let (mut rewards, mut ends) = (vec![0; size], vec![EpisodeEnd::Running; size]);
    let mut done = 0;
    for actions in actions.chunks_exact(size) {
        if rooms.step(actions, black_box(&mut rewards), black_box(&mut ends)).is_ok() {
            done += u32::from(BATCH_SIZE);
        }
        after(rooms);
    }
    done
}

fn step_rooms(bench: &BenchContext<'_>) -> Result<f64, Problem> {
    let (mut rooms, actions) = (bench.rooms()?, random_actions());
    Ok(bench.rate(|| step_batch(&mut rooms, &actions, |_| ())))
}

fn batch_frames(
    bench: &BenchContext<'_>,
    paint: fn(&mut RoomBatch, &mut [u8]) -> bool,
) -> Result<f64, Problem> {
    let (mut rooms, actions) = (bench.rooms()?, random_actions());
    let (mut rgb, actions) = (vec![0; rooms.bytes()], &actions[..usize::from(BATCH_SIZE) * 2]);
    Ok(bench
        .rate(|| step_batch(&mut rooms, actions, |rooms| assert_filled(paint(rooms, black_box(&mut rgb))))))
}

/// Steps the general implementation through some actions, and calls `after` after each.
fn step_environment(room: &Room, mut after: impl FnMut(&mut Room)) -> u32 {
    let names = Direction::ALL.map(|way| Action::plain(way.name()));
    let actions = random_actions();
    let mut done = 0;
    for episode in actions[..usize::from(EPISODE_STEPS) * 20].chunks(usize::from(EPISODE_STEPS)) {
        let mut room = room.clone();
        for action in episode {
            done += u32::from(black_box(room.step(&names[usize::from(action & 3)])).is_ok());
            after(&mut room);
        }
    }
    done
}

fn step_room(bench: &BenchContext<'_>) -> Result<f64, Problem> {
    let room = bench.room()?;
    Ok(bench.rate(|| step_environment(&room, |_| ())))
}

/// With the digest that an episode computes at each step, without rendering.
fn step_and_observe(bench: &BenchContext<'_>) -> Result<f64, Problem> {
    let room = bench.room()?;
    Ok(bench.rate(|| step_environment(&room, |room| _ = black_box(room.observe().digest()))))
}
