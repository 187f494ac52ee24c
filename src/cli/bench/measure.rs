//! What is measured in a room, a row each.

use std::hint::black_box;
use std::time::Duration;

use super::clock::rate;
use crate::cli::reference::Chosen;
use crate::config::Problem;
use crate::domain::Action;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::World;
use crate::envs::Arena;
use crate::envs::End;
use crate::envs::Room;
use crate::envs::Rooms;
use crate::envs::Way;

/// Steps after which a room is opened again, as gym-sokoban does.
const LIMIT: u16 = 200;
/// Rooms in a batch.
const BATCH: u16 = 256;

/// What is measured and in which unit.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    run: fn(&Bench<'_>) -> Result<f64, Problem>,
}

#[rustfmt::skip]
pub(super) const ROWS: [Row; 9] = [
    Row { name: "step", unit: "steps/s", run: step },
    Row { name: "step-batch", unit: "steps/s", run: batch },
    Row { name: "step-squares", unit: "steps/s", run: squares },
    Row { name: "step-whole-frame", unit: "frames/s", run: |bench| frames(bench, Arena::paint) },
    Row { name: "step-changed-frame", unit: "frames/s", run: |bench| frames(bench, Arena::repaint) },
    Row { name: "batch-whole-frame", unit: "frames/s", run: |bench| batch_frames(bench, |rooms, rgb| rooms.paint(rgb).is_ok()) },
    Row { name: "batch-changed-frame", unit: "frames/s", run: |bench| batch_frames(bench, |rooms, rgb| rooms.repaint(rgb).is_ok()) },
    Row { name: "world-step", unit: "steps/s", run: world },
    Row { name: "world-step-observe", unit: "steps/s", run: observe },
];

/// A room, a clock and how long to look at it.
pub(super) struct Bench<'a> {
    pub(super) chosen: &'a Chosen,
    pub(super) clock: &'a dyn Fn() -> Duration,
    pub(super) least: Duration,
}

impl Row {
    /// Measures it.
    pub(super) fn measure(&self, bench: &Bench<'_>) -> Result<f64, Problem> {
        (self.run)(bench)
    }
}

impl Bench<'_> {
    fn rate(&self, work: impl FnMut() -> u32) -> f64 {
        rate(self.clock, self.least, work)
    }

    fn arena(&self) -> Result<Arena, Problem> {
        Arena::new(&self.chosen.level, &Options::new()).map_err(|error| self.refused(&error))
    }

    fn rooms(&self) -> Result<Rooms, Problem> {
        let levels = vec![self.chosen.level.clone(); usize::from(BATCH)];
        Rooms::new(&levels, &Options::new(), u32::from(LIMIT)).map_err(|error| self.refused(&error))
    }

    fn room(&self) -> Result<Room, Problem> {
        Room::new(&self.chosen.level, &Options::new()).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &OptionError) -> Problem {
        Problem::new(format!("{}: {error}", self.chosen.reference))
    }
}

/// Actions at random, the same in every run. There are so many that nobody can learn them by heart, a processor's
/// branch prediction included.
fn actions() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u8::try_from(state >> 62).unwrap_or(0)
    };
    (0..LIMIT as usize * 400).map(next).collect()
}

/// Steps an arena through all actions, LIMIT at a time, and does something after each.
fn walk(room: &mut Arena, actions: &[u8], mut after: impl FnMut(&mut Arena)) -> u32 {
    for episode in actions.chunks(usize::from(LIMIT)) {
        room.reset();
        for action in episode {
            black_box(room.step(Way::ALL[usize::from(action & 3)]));
            after(room);
        }
    }
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}

fn step(bench: &Bench<'_>) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, actions());
    Ok(bench.rate(|| walk(&mut room, &actions, |_| ())))
}

fn squares(bench: &Bench<'_>) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, actions());
    let (rows, columns) = room.size();
    let mut states = vec![0; rows * columns];
    Ok(bench.rate(|| walk(&mut room, &actions, |room| assert_whole(room.encode(black_box(&mut states))))))
}

fn frames(bench: &Bench<'_>, paint: fn(&mut Arena, &mut [u8]) -> bool) -> Result<f64, Problem> {
    let (mut room, actions) = (bench.arena()?, actions());
    let (mut rgb, actions) = (vec![0; room.bytes()], &actions[..usize::from(LIMIT) * 10]);
    Ok(bench.rate(|| walk(&mut room, actions, |room| assert_whole(paint(room, black_box(&mut rgb))))))
}

/// Buffers here have the size that was asked for.
fn assert_whole(whole: bool) {
    debug_assert!(whole);
}

/// Steps a batch through all actions, and does something after each step.
fn march(rooms: &mut Rooms, actions: &[u8], mut after: impl FnMut(&mut Rooms)) -> u32 {
    let size = usize::from(BATCH);
    let (mut rewards, mut ends) = (vec![0; size], vec![End::Going; size]);
    let mut done = 0;
    for actions in actions.chunks_exact(size) {
        if rooms.step(actions, black_box(&mut rewards), black_box(&mut ends)).is_ok() {
            done += u32::from(BATCH);
        }
        after(rooms);
    }
    done
}

fn batch(bench: &Bench<'_>) -> Result<f64, Problem> {
    let (mut rooms, actions) = (bench.rooms()?, actions());
    Ok(bench.rate(|| march(&mut rooms, &actions, |_| ())))
}

fn batch_frames(bench: &Bench<'_>, paint: fn(&mut Rooms, &mut [u8]) -> bool) -> Result<f64, Problem> {
    let (mut rooms, actions) = (bench.rooms()?, actions());
    let (mut rgb, actions) = (vec![0; rooms.bytes()], &actions[..usize::from(BATCH) * 10]);
    Ok(bench.rate(|| march(&mut rooms, actions, |rooms| assert_whole(paint(rooms, black_box(&mut rgb))))))
}

/// Steps the general world through some actions, and does something after each.
fn live(room: &Room, mut after: impl FnMut(&Room)) -> u32 {
    let names = Way::ALL.map(|way| Action::plain(way.name()));
    let actions = actions();
    let mut done = 0;
    for episode in actions[..usize::from(LIMIT) * 20].chunks(usize::from(LIMIT)) {
        let mut room = room.clone();
        for action in episode {
            done += u32::from(black_box(room.step(&names[usize::from(action & 3)])).is_ok());
            after(&room);
        }
    }
    done
}

fn world(bench: &Bench<'_>) -> Result<f64, Problem> {
    let room = bench.room()?;
    Ok(bench.rate(|| live(&room, |_| ())))
}

/// With everything an episode asks for at a step, but with no picture that nobody looks at.
fn observe(bench: &Bench<'_>) -> Result<f64, Problem> {
    let room = bench.room()?;
    Ok(bench.rate(|| live(&room, |room| _ = black_box(room.observe().digest()))))
}
