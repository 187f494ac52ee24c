//! The speed of steps and frames in one room of each size: of [`Room`], which episodes run, and of the training API
//! ([`FastRoom`], [`RoomBatch`]), which no episode runs. `mageyard bench` and `benches/sokoban.rs` print them.

use std::hint::black_box;

use super::board::Direction;
use super::room_batch::RoomEnd;
use super::{FastRoom, Room, RoomBatch, Sokoban};
use mageyard_domain::{
    Action, Benchmarks, Level, Measurement, OptionError, Options, Sample, Stopwatch, World,
};

/// Steps after which a room restarts, as in gym-sokoban.
const EPISODE_STEPS: u16 = 200;
/// Rooms in a batch.
const BATCH_SIZE: u16 = 256;

const STEPS: Measurement = Measurement {
    name: "steps",
    help: "Steps per second: those of episodes, and those of the training API",
    unit: "steps/s",
    benchmarks: &["step", "step-batch", "step-squares", "world-step", "world-step-observe"],
    training: &["step", "step-batch", "step-squares"],
};

const FRAMES: Measurement = Measurement {
    name: "frames",
    help: "Frames per second of the training API, painted in full and only where changed",
    unit: "frames/s",
    benchmarks: TRAINING_FRAMES,
    training: TRAINING_FRAMES,
};

const TRAINING_FRAMES: &[&str] = &[
    "step-whole-frame",
    "step-changed-frame",
    "fill-frame",
    "batch-whole-frame",
    "batch-changed-frame",
    "fill-batch",
];

impl Benchmarks for Sokoban {
    fn level_set(&self) -> &'static str {
        "full"
    }

    fn notes(&self) -> &'static str {
        "Tables of the training API measure rooms without an episode around them, alone and 256 in a batch; no episode \
         of this program runs them. fill-frame and fill-batch only fill the bytes of the frames with one value, as a lower \
         limit. The frames of a batch may exceed the processor's cache."
    }

    fn measurements(&self) -> &'static [Measurement] {
        &[STEPS, FRAMES]
    }

    /// The first room of each size that is not solved at the start.
    fn samples(&self, levels: &[Level]) -> Vec<Sample> {
        let mut samples: Vec<Sample> = Vec::new();
        for (index, level) in levels.iter().enumerate() {
            let Ok(room) = FastRoom::new(level, &Options::new()) else { continue };
            let (rows, columns) = room.size();
            let title = format!("{rows}x{columns}");
            if !room.is_solved() && samples.iter().all(|one| one.title != title) {
                samples.push(Sample {
                    level: index,
                    title,
                    fields: vec![("rows", rows), ("columns", columns)],
                });
            }
        }
        samples
    }

    fn rate(&self, benchmark: &str, level: &Level, stopwatch: &Stopwatch<'_>) -> Result<f64, OptionError> {
        let bench = Bench { level, stopwatch };
        match benchmark {
            "step" => step(&bench),
            "step-batch" => step_rooms(&bench),
            "step-squares" => step_and_encode(&bench),
            "world-step" => step_room(&bench),
            "world-step-observe" => step_and_observe(&bench),
            "step-whole-frame" => frames(&bench, FastRoom::paint),
            "step-changed-frame" => frames(&bench, FastRoom::repaint),
            "fill-frame" => frames(&bench, |_, rgb| fill(rgb)),
            "batch-whole-frame" => batch_frames(&bench, |rooms, rgb| rooms.paint(rgb).is_ok()),
            "batch-changed-frame" => batch_frames(&bench, |rooms, rgb| rooms.repaint(rgb).is_ok()),
            "fill-batch" => batch_frames(&bench, |_, rgb| fill(rgb)),
            _ => Err(OptionError {
                name: "only".to_owned(),
                why: format!("there is no benchmark {benchmark}"),
            }),
        }
    }
}

/// A level, and the clock.
struct Bench<'a> {
    level: &'a Level,
    stopwatch: &'a Stopwatch<'a>,
}

impl Bench<'_> {
    fn fast_room(&self) -> Result<FastRoom, OptionError> {
        FastRoom::new(self.level, &Options::new())
    }

    fn batch(&self) -> Result<RoomBatch, OptionError> {
        let levels = vec![self.level.clone(); usize::from(BATCH_SIZE)];
        RoomBatch::new(&levels, &Options::new(), u32::from(EPISODE_STEPS))
    }

    fn room(&self) -> Result<Room, OptionError> {
        Room::new(self.level, &Options::new())
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
fn step_fast_room(room: &mut FastRoom, actions: &[u8], mut after: impl FnMut(&mut FastRoom)) -> u32 {
    for episode in actions.chunks(usize::from(EPISODE_STEPS)) {
        room.reset();
        for action in episode {
            black_box(room.step(Direction::ALL[usize::from(action & 3)]));
            after(room);
        }
    }
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}

fn step(bench: &Bench<'_>) -> Result<f64, OptionError> {
    let mut room = bench.fast_room()?;
    let actions = random_actions();
    Ok(bench.stopwatch.rate(|| step_fast_room(&mut room, &actions, |_| ())))
}

fn step_and_encode(bench: &Bench<'_>) -> Result<f64, OptionError> {
    let mut room = bench.fast_room()?;
    let actions = random_actions();
    let (rows, columns) = room.size();
    let mut states = vec![0; rows * columns];
    Ok(bench.stopwatch.rate(|| {
        step_fast_room(&mut room, &actions, |room| assert_filled(room.encode(black_box(&mut states))))
    }))
}

fn frames(bench: &Bench<'_>, paint: fn(&mut FastRoom, &mut [u8]) -> bool) -> Result<f64, OptionError> {
    let mut room = bench.fast_room()?;
    let actions = random_actions();
    let mut rgb = vec![0; room.bytes()];
    let actions = &actions[..usize::from(EPISODE_STEPS) * 2];
    Ok(bench
        .stopwatch
        .rate(|| step_fast_room(&mut room, actions, |room| assert_filled(paint(room, black_box(&mut rgb))))))
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
    let mut rewards = vec![0; size];
    let mut ends = vec![RoomEnd::Running; size];
    let mut done = 0;
    for actions in actions.chunks_exact(size) {
        if rooms.step(actions, black_box(&mut rewards), black_box(&mut ends)).is_ok() {
            done += u32::from(BATCH_SIZE);
        }
        after(rooms);
    }
    done
}

fn step_rooms(bench: &Bench<'_>) -> Result<f64, OptionError> {
    let mut rooms = bench.batch()?;
    let actions = random_actions();
    Ok(bench.stopwatch.rate(|| step_batch(&mut rooms, &actions, |_| ())))
}

fn batch_frames(bench: &Bench<'_>, paint: fn(&mut RoomBatch, &mut [u8]) -> bool) -> Result<f64, OptionError> {
    let mut rooms = bench.batch()?;
    let actions = random_actions();
    let mut rgb = vec![0; rooms.bytes()];
    let actions = &actions[..usize::from(BATCH_SIZE) * 2];
    Ok(bench
        .stopwatch
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

fn step_room(bench: &Bench<'_>) -> Result<f64, OptionError> {
    let room = bench.room()?;
    Ok(bench.stopwatch.rate(|| step_environment(&room, |_| ())))
}

/// With the digest that an episode computes at each step, without rendering.
fn step_and_observe(bench: &Bench<'_>) -> Result<f64, OptionError> {
    let room = bench.room()?;
    Ok(bench.stopwatch.rate(|| step_environment(&room, |room| _ = black_box(room.observe().digest()))))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_benchmark_of_every_measurement_has_a_rate() {
        let level = Level::from_text(1, None, "######\n#@$ .#\n######");
        let stopwatch = Stopwatch { clock: &clock(), least: Duration::ZERO };
        for benchmark in Sokoban.measurements().iter().flat_map(|table| table.benchmarks) {
            assert!(Sokoban.rate(benchmark, &level, &stopwatch).unwrap() > 0.0, "{benchmark}");
        }
        assert!(Sokoban.rate("sleep", &level, &stopwatch).is_err());
    }

    /// A clock that advances by a millisecond each time.
    fn clock() -> impl Fn() -> Duration {
        let now = std::cell::Cell::new(Duration::ZERO);
        move || now.replace(now.get() + Duration::from_millis(1))
    }
}
