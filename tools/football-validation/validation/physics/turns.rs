//! Turns with the ball: frames until the new heading holds and until full speed.

use std::collections::BTreeMap;

use super::check;
use super::stage::{Stage, length, velocity};
use crate::recording::TurnRun;
use crate::statistics::{count, quantile};
use crate::validation::{Accepts, Check};
use mageyard_football::EngineAction;

/// Each mode with its button and the speed that counts as full, m/s.
const MODES: [(&str, EngineAction, f64); 3] = [
    ("walk", EngineAction::ReleaseSprint, 4.8),
    ("dribble", EngineAction::Dribble, 3.3),
    ("sprint", EngineAction::Sprint, 7.0),
];
const ANGLES: [(u32, EngineAction); 4] = [
    (45, EngineAction::TopRight),
    (90, EngineAction::Top),
    (135, EngineAction::TopLeft),
    (180, EngineAction::Left),
];
/// How many frames a turn may be off.
const FRAMES: f64 = 2.0;
/// A turn that the recordings do not finish takes at least this many frames.
const UNFINISHED: f64 = 20.0;
/// Frames that are watched after the turn.
const WINDOW: usize = 40;
/// Frames of running before the turn; each run has one more.
const BEFORE: u64 = 23;
const SEEDS: u64 = 6;
/// The heading holds within the angle whose sine this is.
const HEADING: f64 = 0.26;

/// Frames until the new heading holds and until full speed; [`WINDOW`] where neither happens.
type Turned = [f64; 2];

pub(super) fn checks(turns: &BTreeMap<String, Vec<TurnRun>>) -> Vec<Check> {
    let mut checks = Vec::new();
    for mode in MODES {
        let mut offs: Vec<(f64, String)> = Vec::new();
        for angle in ANGLES {
            let key = format!("{}{}", mode.0, angle.0);
            let Some(recorded) = turns.get(&key).filter(|runs| !runs.is_empty()) else { continue };
            let simulated = simulated(mode, angle.1);
            if recorded.iter().any(|run| run.0.is_none()) {
                let name =
                    format!("frames of a turn by {}° that the engine hardly ends, {}", angle.0, mode.0);
                checks.push(
                    check(name, Some(simulated[0]), Accepts::Least(UNFINISHED)).samples(recorded.len()),
                );
            } else {
                offs.extend(differences(&key, recorded, simulated));
            }
        }
        let worst = offs.iter().max_by(|one, other| one.0.total_cmp(&other.0));
        checks.extend(worst.map(|(off, place)| {
            let name = format!("largest difference of a turn, {}, frames", mode.0);
            check(name, Some(*off), Accepts::Most(FRAMES)).samples(offs.len()).note(place.as_str())
        }));
    }
    checks
}

/// How far the simulated medians are outside the recorded runs.
fn differences(key: &str, recorded: &[TurnRun], simulated: Turned) -> Vec<(f64, String)> {
    let of = [|run: &TurnRun| run.0, |run: &TurnRun| run.1];
    let names = ["the heading holds", "full speed"];
    let difference = |index: usize| {
        let values: Option<Vec<f64>> = recorded.iter().map(of[index]).collect();
        let values = values?;
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let off = (low - simulated[index]).max(simulated[index] - high).max(0.0);
        let note =
            format!("{key}, {}: recorded {low} to {high}, simulated {}", names[index], simulated[index]);
        Some((off, note))
    };
    (0..2).filter_map(difference).collect()
}

fn simulated((_, button, full): (&str, EngineAction, f64), turn: EngineAction) -> Turned {
    let runs: Vec<Turned> = (0..SEEDS).map(|seed| run(button, full, turn, seed)).collect();
    [0, 1].map(|index| {
        let values: Vec<f64> = runs.iter().map(|run| run[index]).collect();
        quantile(&values, 0.5).unwrap_or_default()
    })
}

fn run(button: EngineAction, full: f64, turn: EngineAction, seed: u64) -> Turned {
    const SLOT: usize = 9;
    let mut game =
        Stage { slot: SLOT, ball: [-30.0, 0.0], mate: None, keeper: false, defender: None }.game(seed);
    game.frame(EngineAction::Right);
    game.frame(button);
    (0..BEFORE + seed).for_each(|_| game.frame(EngineAction::Right));
    let [x, y] = turn.direction().unwrap_or_default();
    let frame = |_| {
        game.frame(turn);
        let now = velocity(&game.state(), SLOT);
        let pace = length(now);
        // Public directions have y down.
        let along = now[0] * x - now[1] * y;
        let across = now[0] * y + now[1] * x;
        (pace > 0.5 && along > 0.0 && across.abs() < HEADING * pace, pace)
    };
    let frames: Vec<(bool, f64)> = (0..WINDOW).map(frame).collect();
    let holds = frames.iter().rposition(|(holds, _)| !holds).map_or(0, |last| last + 1);
    let full = (holds..WINDOW).find(|index| frames[*index].1 > full).unwrap_or(WINDOW);
    [holds + 1, full + 1].map(|frame| count(frame.min(WINDOW)))
}
