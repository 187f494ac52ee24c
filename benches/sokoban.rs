//! How fast Sokoban is, beside the floor that the machine sets: a frame cannot be painted faster
//! than its bytes are copied. A step stands beside a clone of the room, the price of a checkpoint.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::BatchSize;
use criterion::Criterion;
use criterion::Throughput;
use criterion::criterion_group;
use criterion::criterion_main;
use mageyard::domain::Action;
use mageyard::domain::Bounds;
use mageyard::domain::Kind;
use mageyard::domain::Level;
use mageyard::domain::Measure;
use mageyard::domain::Options;
use mageyard::domain::World;
use mageyard::envs::Room;
use mageyard::envs::Sokoban;

fn mini() -> Vec<Level> {
    Sokoban.read(Sokoban.sets()[0].text).unwrap_or_default()
}

fn rooms() -> Vec<(String, Room)> {
    let ends = |level: Level| Room::new(&level, &Options::new()).ok().map(|room| (level.label(), room));
    mini().into_iter().filter(|level| level.label().ends_with("v0-1")).filter_map(ends).collect()
}

/// One step without a picture, beside cloning the room.
fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    let names = ["Up", "Left", "Down", "Right"].map(Action::plain);
    for (name, room) in rooms() {
        let mut walked = room.clone();
        let mut actions = names.iter().cycle();
        group.bench_function(format!("{name}/step"), |bench| {
            bench.iter(|| actions.next().map(|action| walked.step(black_box(action))));
        });
        group.bench_function(format!("{name}/clone"), |bench| bench.iter(|| black_box(&room).clone()));
    }
}

/// Frame, text and facts, beside the same with a frame that nobody looks at and copying the bytes of the frame.
fn observe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observe");
    for (name, room) in rooms() {
        let seen = room.observe();
        let Some(frame) = seen.picture().map(|picture| picture.rgb().to_vec()) else { continue };
        group.throughput(Throughput::Bytes(frame.len() as u64));
        group.bench_function(format!("{name}/unseen"), |bench| bench.iter(|| black_box(&room).observe()));
        group.bench_function(format!("{name}/observe"), |bench| {
            bench.iter(|| black_box(&room).observe().picture().map(|picture| picture.rgb()[0]));
        });
        group.bench_function(format!("{name}/copy"), |bench| bench.iter(|| black_box(&frame).clone()));
    }
}

/// The whole mini set, and its states a second.
fn solve(criterion: &mut Criterion) {
    let levels = mini();
    let stop = AtomicBool::new(false);
    let states =
        |level: &Level| Sokoban.solve(level, Measure::Actions, Bounds::states(u64::MAX, &stop))?.ok();
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
}

criterion_group!(sokoban, step, observe, solve);
criterion_main!(sokoban);
