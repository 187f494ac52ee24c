//! Speed of Sokoban: the environment's own measurements, and comparisons with the limits of the machine: a frame with
//! copying its bytes, a step with cloning the room (a checkpoint), the solver with a breadth-first search of the same levels, and its
//! assignment with that of a crate.

#[allow(dead_code, unused_imports, reason = "the file as the solver has it; not all of it is timed")]
#[path = "../src/envs/sokoban/solver/matching.rs"]
mod matching;

use std::collections::VecDeque;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mageyard::domain::{
    Benchmarks, EnvironmentSpec, Level, Objective, Options, SearchBudget, Solver, Stopwatch, World,
};
use mageyard::envs::sokoban::{Room, Sokoban};
use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;
use rustc_hash::FxHashSet;

use matching::Matching;

/// The least duration of one measurement of a rate.
const LEAST: Duration = Duration::from_millis(20);

fn mini() -> Vec<Level> {
    Sokoban.parse_levels(Sokoban.level_sets()[0].text).unwrap_or_default()
}

fn rooms() -> Vec<(String, Room)> {
    let ends = |level: Level| Room::new(&level, &Options::new()).ok().map(|room| (level.label(), room));
    mini().into_iter().filter(|level| level.label().ends_with("v0-1")).filter_map(ends).collect()
}

/// The measurements of `mageyard bench sokoban`, in the first room of each size, with cloning the room for comparison.
fn measurements(criterion: &mut Criterion) {
    let levels = mini();
    for table in Sokoban.measurements() {
        let mut group = criterion.benchmark_group(table.name);
        group.sample_size(20).throughput(Throughput::Elements(1));
        for sample in Sokoban.samples(&levels) {
            let level = &levels[sample.level];
            for name in table.benchmarks {
                group.bench_function(format!("{}/{name}", sample.title), |bench| {
                    bench.iter_custom(|count| duration(name, level, count));
                });
            }
            let Ok(room) = Room::new(level, &Options::new()) else { continue };
            group.bench_function(format!("{}/clone", sample.title), |bench| {
                bench.iter(|| black_box(&room).clone());
            });
        }
    }
}

/// How long this many operations of one of the environment's benchmarks take, by its rate.
#[allow(clippy::cast_precision_loss, reason = "criterion asks for far fewer than 2^52 operations")]
fn duration(name: &str, level: &Level, count: u64) -> Duration {
    let began = Instant::now();
    let stopwatch = Stopwatch { clock: &|| began.elapsed(), least: LEAST };
    let rate = Sokoban.rate(name, level, &stopwatch).unwrap_or(f64::NAN);
    Duration::try_from_secs_f64(count as f64 / rate).unwrap_or(Duration::MAX)
}

/// Frame, text and facts, compared with the same without painting and with copying the frame's bytes.
fn observe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observe");
    for (name, mut room) in rooms() {
        let seen = room.observe();
        let Some(pixels) = seen.picture().and_then(|picture| picture.pixels().ok()) else { continue };
        let frame = pixels.to_vec();
        group.throughput(Throughput::Bytes(frame.len() as u64));
        group.bench_function(format!("{name}/unseen"), |bench| bench.iter(|| black_box(&mut room).observe()));
        group.bench_function(format!("{name}/observe"), |bench| {
            bench.iter(|| {
                black_box(&mut room)
                    .observe()
                    .picture()
                    .and_then(|picture| picture.pixels().ok())
                    .map(|pixels| pixels[0])
            });
        });
        group.bench_function(format!("{name}/copy"), |bench| bench.iter(|| black_box(&frame).clone()));
    }
}

/// The whole mini set, in states per second; then its rooms of up to three boxes, compared with a
/// breadth-first search.
fn solve(criterion: &mut Criterion) {
    let levels = mini();
    let stop = AtomicBool::new(false);
    let states = |level: &Level| {
        Sokoban.solve(level, Objective::ACTIONS, SearchBudget::with_states(u64::MAX, &stop))?.ok()
    };
    let total = levels.iter().filter_map(states).map(|solution| solution.states).sum();
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10).throughput(Throughput::Elements(total));
    group.bench_function("mini", |bench| {
        bench.iter_batched(
            || &levels,
            |levels| levels.iter().filter_map(states).count(),
            BatchSize::PerIteration,
        );
    });
    let few: Vec<&Level> =
        levels.iter().filter(|level| level.text().matches(['$', '*']).count() <= 3).collect();
    let moves = |level: &Level| states(level).map(|solution| solution.actions.len());
    assert!(few.iter().all(|level| moves(level) == breadth_first(level.text())), "the two do not agree");
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("few boxes/solver", |bench| {
        bench.iter(|| few.iter().filter_map(|level| moves(level)).sum::<usize>());
    });
    group.bench_function("few boxes/plain search", |bench| {
        bench.iter(|| few.iter().filter_map(|level| breadth_first(level.text())).sum::<usize>());
    });
}

/// The fewest moves by breadth-first search over moves, without pruning.
fn breadth_first(text: &str) -> Option<usize> {
    let columns = text.lines().map(str::len).max()?;
    let squares: Vec<u8> = text.lines().flat_map(|line| format!("{line:columns$}").into_bytes()).collect();
    let all = |letters: &[u8]| -> Vec<u8> {
        (0..).zip(&squares).filter(|(_, square)| letters.contains(square)).map(|(at, _)| at).collect()
    };
    let player = *all(b"@+").first()?;
    let mut boxes = all(b"$*");
    let targets = all(b".+*");
    boxes.insert(0, player);
    let mut seen = FxHashSet::from_iter([boxes.clone()]);
    let mut queue = VecDeque::from([(boxes, 0)]);
    while let Some((state, moves)) = queue.pop_front() {
        if state[1..] == targets {
            return Some(moves);
        }
        for way in [1, columns] {
            for ahead in [true, false] {
                let step = |at: u8| if ahead { usize::from(at) + way } else { usize::from(at) - way };
                let to = u8::try_from(step(state[0])).ok()?;
                let mut next = state.clone();
                next[0] = to;
                if let Some(index) = state[1..].iter().position(|cell| *cell == to) {
                    let beyond = u8::try_from(step(to)).ok()?;
                    if squares[usize::from(beyond)] == b'#' || state[1..].contains(&beyond) {
                        continue;
                    }
                    next[index + 1] = beyond;
                    next[1..].sort_unstable();
                }
                if squares[usize::from(to)] != b'#' && seen.insert(next.clone()) {
                    queue.push_back((next, moves + 1));
                }
            }
        }
    }
    None
}

/// One box of five has moved: updating the assignment, compared with solving it from scratch.
fn assign(criterion: &mut Criterion) {
    const SIZE: usize = 5;
    let tables = |rows: usize| (0..rows * SIZE).map(|at| i32::try_from(at * 7919 % 31).unwrap_or(0));
    let costs: Vec<i32> = tables(SIZE).collect();
    let moved: Vec<i32> = tables(SIZE + 1).skip(SIZE * SIZE).collect();
    let after: Vec<i32> = moved.iter().chain(&costs[SIZE..]).copied().collect();
    let mut before = Matching::new(SIZE);
    assert!(before.solve(|row| row * SIZE, &costs), "no assignment");
    let mut kept = before.clone();
    let mut group = criterion.benchmark_group("assign");
    group.bench_function("up to date", |bench| {
        bench.iter(|| {
            kept.copy_from(&before);
            kept.free(0);
            kept.assign(0, |row| row * SIZE, black_box(&after));
            kept.sum()
        });
    });
    group.bench_function("anew", |bench| {
        bench.iter(|| {
            kept.solve(|row| row * SIZE, black_box(&after));
            kept.sum()
        });
    });
    let mut matrix = Matrix::new(SIZE, SIZE, 0);
    matrix.values_mut().zip(&after).for_each(|(cell, cost)| *cell = *cost);
    // A filter on the command line may have left out the runs above.
    kept.solve(|row| row * SIZE, &after);
    assert_eq!(kept.sum(), kuhn_munkres_min(&matrix).0, "the two do not agree");
    group.bench_function("pathfinding", |bench| bench.iter(|| kuhn_munkres_min(black_box(&matrix)).0));
}

criterion_group!(sokoban, measurements, observe, solve, assign);
criterion_main!(sokoban);
