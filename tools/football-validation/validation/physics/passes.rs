//! Passes from a walking carrier to a mate who stands ahead.

use super::check;
use super::stage::{Stage, ball_speed, owns, place};
use crate::recording::{PassMeasure, PassRow};
use crate::statistics::{count, mean};
use crate::validation::{Accepts, Check};
use mageyard_football::EngineAction;
use mageyard_football::sim::Game;

/// How many frames the contact may be off.
const DELAY: f64 = 1.0;
/// How far the first speed may be off, as a share.
const SPEED: f64 = 0.1;
/// How many frames the flight may be off.
const FLIGHT: f64 = 3.0;
const SEEDS: u64 = 8;
const PASSER: usize = 6;
const MATE: usize = 9;
/// Where the ball lies; the carrier walks so far until he passes, metres.
const START: f64 = -30.0;
const WALK: f64 = 2.2;
/// Half of the way of a frame, metres: the button is pressed at the wanted distance on average.
const HALF_STEP: f64 = 0.25;
/// A ball faster than this was kicked, m/s.
const KICKED: f64 = 8.5;
/// The recordings watch so many frames from the button on.
const FRAMES: u8 = 50;

/// Passes of one kind over one distance: delay, speed, and flight of the received ones for even and odd seeds.
#[derive(Clone, Debug)]
struct Passes {
    place: String,
    delay: Option<f64>,
    speed: Option<f64>,
    flights: [Option<f64>; 2],
}

pub(super) fn checks(measures: &[PassMeasure]) -> Vec<Check> {
    let mut checks = Vec::new();
    for (kind, button) in [
        ("short", EngineAction::ShortPass),
        ("long", EngineAction::LongPass),
        ("high", EngineAction::HighPass),
    ] {
        let own = measures.iter().filter(|measure| measure.kind == kind && !measure.rows.is_empty());
        let pairs: Vec<(Passes, Passes)> = own
            .map(|measure| {
                let distance =
                    mean(&measure.rows.iter().map(|row| row.pd).collect::<Vec<_>>()).unwrap_or_default();
                let simulated: Vec<PassRow> = (0..SEEDS).map(|seed| pass(button, distance, seed)).collect();
                (summed(distance, &measure.rows), summed(distance, &simulated))
            })
            .collect();
        if !pairs.is_empty() {
            checks.extend(compared(kind, &pairs));
        }
    }
    checks
}

fn compared(kind: &str, pairs: &[(Passes, Passes)]) -> [Check; 4] {
    let delay = worst(pairs, |one, other| Some(vec![(one.delay? - other.delay?).abs()]));
    let speed = worst(pairs, |one, other| {
        let one = one.speed?;
        let other = other.speed?;
        Some(vec![(one - other).abs() / one])
    });
    let flight = worst(pairs, |one, other| {
        let both = one.flights.iter().zip(&other.flights);
        Some(both.filter_map(|(one, other)| Some(((*one)? - (*other)?).abs())).collect())
    });
    let wrong: Vec<&str> = pairs
        .iter()
        .flat_map(|(one, other)| (0..2).map(move |parity| (one, one.flights[parity], other.flights[parity])))
        .filter(|(_, one, other)| one.is_some() != other.is_some())
        .map(|(one, ..)| one.place.as_str())
        .collect();
    let named = |name: &str, (value, note): (Option<f64>, String), most: f64| {
        check(format!("{kind} passes: {name}"), value, Accepts::Most(most)).samples(pairs.len()).note(note)
    };
    [
        named("largest difference of the contact, frames", delay, DELAY),
        named("largest relative difference of the speed", speed, SPEED),
        named("largest difference of the flight, frames", flight, FLIGHT),
        named("distances received in one engine only", (Some(count(wrong.len())), wrong.join(", ")), 0.0),
    ]
}

/// The largest difference and where it is.
fn worst(
    pairs: &[(Passes, Passes)],
    differences: impl Fn(&Passes, &Passes) -> Option<Vec<f64>>,
) -> (Option<f64>, String) {
    let all = pairs.iter().flat_map(|(one, other)| {
        let values = differences(one, other).unwrap_or_default();
        values.into_iter().map(move |value| (value, one.place.as_str()))
    });
    let worst = all.max_by(|one, other| one.0.total_cmp(&other.0));
    (worst.map(|row| row.0), worst.map_or(String::new(), |row| row.1.to_owned()))
}

fn summed(distance: f64, rows: &[PassRow]) -> Passes {
    let all = |value: fn(&PassRow) -> Option<f64>| mean(&rows.iter().filter_map(value).collect::<Vec<_>>());
    let flight = |parity: usize| {
        let own: Vec<&PassRow> = rows.iter().skip(parity).step_by(2).collect();
        let flights: Vec<f64> = own.iter().filter_map(|row| Some(row.recv? - row.kick?)).collect();
        // Received by more than half of the seeds.
        mean(&flights).filter(|_| 2 * flights.len() > own.len())
    };
    Passes {
        place: format!("{distance:.0} m"),
        delay: all(|row| row.kick),
        speed: all(|row| row.vmax),
        flights: [0, 1].map(flight),
    }
}

fn pass(button: EngineAction, distance: f64, seed: u64) -> PassRow {
    let mate = Some((MATE, [START + WALK + distance, 0.0]));
    let mut game = Stage { slot: PASSER, ball: [START, 0.0], mate, keeper: false, defender: None }.game(seed);
    game.stand_still(MATE);
    let pd = walk_up(&mut game, distance);
    let mut row = PassRow { pd, kick: None, recv: None, vmax: None };
    for frame in 1..=FRAMES {
        game.frame(match row.kick {
            _ if frame == 1 => button,
            Some(_) => EngineAction::ReleaseDirection,
            None => EngineAction::Right,
        });
        let state = game.state();
        if row.kick.is_none() && ball_speed(&state) > KICKED {
            (row.kick, row.vmax) = (Some(frame.into()), Some(ball_speed(&state)));
        }
        if row.recv.is_none() && owns(&state, MATE) {
            // A mate two steps away has the ball in the frame of the kick.
            row.kick = row.kick.or(Some(frame.into()));
            row.recv = Some(frame.into());
        }
    }
    row
}

/// Walks with the ball until the mate is this far ahead; how far he is.
fn walk_up(game: &mut Game, distance: f64) -> f64 {
    let ahead = |game: &Game| place(&game.state(), MATE)[0] - place(&game.state(), PASSER)[0];
    for _ in 0..60 {
        game.frame(EngineAction::Right);
        if game.state().owner.is_some() && ahead(game) <= distance + HALF_STEP {
            break;
        }
    }
    ahead(game)
}
