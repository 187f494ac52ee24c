//! What is measured in a room of each size: steps and frames, a row each.

use std::hint::black_box;
use std::time::Duration;

use serde::Serialize;

use super::clock::rate;
use super::part::Part;
use crate::cli::output::grouped;
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
/// Sizes side by side in a table.
const ABREAST: usize = 4;

/// What is measured.
struct Row {
    name: &'static str,
    run: fn(&Bench<'_>) -> Result<f64, Problem>,
}

#[rustfmt::skip]
const STEPS: &[Row] = &[
    Row { name: "step", run: step },
    Row { name: "step-batch", run: batch },
    Row { name: "step-squares", run: squares },
    Row { name: "world-step", run: world },
    Row { name: "world-step-observe", run: observe },
];

#[rustfmt::skip]
const FRAMES: &[Row] = &[
    Row { name: "step-whole-frame", run: |bench| frames(bench, Arena::paint) },
    Row { name: "step-changed-frame", run: |bench| frames(bench, Arena::repaint) },
    Row { name: "fill-frame", run: |bench| frames(bench, |_, rgb| filled(rgb)) },
    Row { name: "batch-whole-frame", run: |bench| batch_frames(bench, |rooms, rgb| rooms.paint(rgb).is_ok()) },
    Row { name: "batch-changed-frame", run: |bench| batch_frames(bench, |rooms, rgb| rooms.repaint(rgb).is_ok()) },
    Row { name: "fill-batch", run: |bench| batch_frames(bench, |_, rgb| filled(rgb)) },
];

/// The rows of a table, and their unit; none of a table without rooms.
fn table(part: Part) -> (&'static [Row], &'static str) {
    match part {
        Part::Steps => (STEPS, "steps/s"),
        Part::Frames => (FRAMES, "frames/s"),
        Part::Generate | Part::Solve => (&[], ""),
    }
}

/// Whether a table needs rooms that can be stepped.
pub(super) fn steps(part: Part) -> bool {
    !table(part).0.is_empty()
}

/// A room that stands for all of its size: rows and columns.
pub(super) struct Sized<'a> {
    chosen: &'a Chosen,
    size: (usize, usize),
}

/// The first room of each size.
pub(super) fn sizes(chosen: &[Chosen]) -> Vec<Sized<'_>> {
    let mut sizes: Vec<Sized<'_>> = Vec::new();
    for chosen in chosen {
        let Ok(arena) = Arena::new(&chosen.level, &Options::new()) else { continue };
        if !arena.is_solved() && sizes.iter().all(|one| one.size != arena.size()) {
            sizes.push(Sized { chosen, size: arena.size() });
        }
    }
    sizes
}

/// A number that was measured.
#[derive(Serialize)]
pub(super) struct Rate {
    r#type: &'static str,
    reference: String,
    rows: usize,
    columns: usize,
    measure: &'static str,
    value: f64,
    unit: &'static str,
}

/// Measures a table in `share` of time, row by row.
pub(super) fn rates(
    part: Part,
    sizes: &[Sized<'_>],
    clock: &dyn Fn() -> Duration,
    share: Duration,
) -> Result<Vec<Rate>, Problem> {
    let (table, unit) = table(part);
    let least = share / u32::try_from(table.len() * sizes.len()).unwrap_or(u32::MAX).max(1);
    let mut rates = Vec::new();
    for row in table {
        for Sized { chosen, size: (rows, columns) } in sizes {
            let value = (row.run)(&Bench { chosen, clock, least })?;
            let (reference, measure) = (chosen.reference.clone(), row.name);
            rates.push(Rate {
                r#type: "rate",
                reference,
                rows: *rows,
                columns: *columns,
                measure,
                value,
                unit,
            });
        }
    }
    Ok(rates)
}

/// A line a measurement, a column a size, so many sizes side by side as fit.
pub(super) fn tables(part: Part, rates: &[Rate]) -> Vec<Vec<Vec<String>>> {
    let (rows, unit) = table(part);
    let lines: Vec<&[Rate]> = rates.chunks((rates.len() / rows.len().max(1)).max(1)).collect();
    let sizes = lines.first().map_or(0, |line| line.len());
    let table = |from: usize| {
        let abreast = |line: &&[Rate], cell: fn(&Rate) -> String| {
            line.iter().skip(from).take(ABREAST).map(cell).collect::<Vec<_>>()
        };
        let head = abreast(&lines[0], |rate| format!("{}x{}", rate.rows, rate.columns));
        let named = |name: &str, cells: Vec<String>| std::iter::once(name.to_owned()).chain(cells).collect();
        let line = |line: &&[Rate]| named(line[0].measure, abreast(line, |rate| grouped(rate.value)));
        std::iter::once(named(unit, head)).chain(lines.iter().map(line)).collect()
    };
    (0..sizes).step_by(ABREAST).map(table).collect()
}

/// A room, a clock and how long to look at it.
struct Bench<'a> {
    chosen: &'a Chosen,
    clock: &'a dyn Fn() -> Duration,
    least: Duration,
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
    let (mut rgb, actions) = (vec![0; room.bytes()], &actions[..usize::from(LIMIT) * 2]);
    Ok(bench.rate(|| walk(&mut room, actions, |room| assert_whole(paint(room, black_box(&mut rgb))))))
}

/// Writes as many bytes as a frame has, as fast as the machine does: the floor of every whole frame.
fn filled(rgb: &mut [u8]) -> bool {
    rgb.fill(black_box(7));
    true
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
    let (mut rgb, actions) = (vec![0; rooms.bytes()], &actions[..usize::from(BATCH) * 2]);
    Ok(bench.rate(|| march(&mut rooms, actions, |rooms| assert_whole(paint(rooms, black_box(&mut rgb))))))
}

/// Steps the general world through some actions, and does something after each.
fn live(room: &Room, mut after: impl FnMut(&mut Room)) -> u32 {
    let names = Way::ALL.map(|way| Action::plain(way.name()));
    let actions = actions();
    let mut done = 0;
    for episode in actions[..usize::from(LIMIT) * 20].chunks(usize::from(LIMIT)) {
        let mut room = room.clone();
        for action in episode {
            done += u32::from(black_box(room.step(&names[usize::from(action & 3)])).is_ok());
            after(&mut room);
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
