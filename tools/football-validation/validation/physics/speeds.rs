//! Straight runs with the ball.

use std::collections::BTreeMap;

use super::check;
use super::stage::{Stage, length, velocity};
use crate::recording::SpeedMeasure;
use crate::statistics::{count, mean, quantile};
use crate::validation::{Accepts, Check};
use mageyard_football::EngineAction;

/// The modes with their buttons.
const MODES: [(&str, &[EngineAction]); 4] = [
    ("walk", &[]),
    ("sprint", &[EngineAction::Sprint]),
    ("dribble", &[EngineAction::Dribble]),
    ("sprintdribble", &[EngineAction::Sprint, EngineAction::Dribble]),
];
/// How far the mean speed may be off, as a share.
const SPEED: f64 = 0.03;
/// Speeds in m/s, in which mode they are reached, and by how many frames that may be off.
const REACHED: [(&str, f64, f64); 2] = [("walk", 4.95, 1.0), ("sprint", 7.4, 2.0)];
/// The frames of a run; its mean speed is that of the frames from 20 on.
const FRAMES: usize = 90;
const STEADY: usize = 20;
const SEEDS: u64 = 4;

/// The runs of a mode: of the recordings, and the same slots simulated.
type Runs<'a> = (Vec<&'a SpeedMeasure>, Vec<Vec<f64>>);

pub(super) fn checks(speeds: &BTreeMap<String, SpeedMeasure>) -> Vec<Check> {
    let mut checks = Vec::new();
    for (mode, buttons) in MODES {
        let (recorded, simulated) = runs(speeds, mode, buttons);
        checks.extend(mean_speed(mode, &recorded, &simulated));
        let reached = REACHED.iter().filter(|row| row.0 == mode);
        checks.extend(reached.filter_map(|(_, speed, frames)| {
            let expected: Vec<f64> =
                recorded.iter().filter_map(|run| frames_to(&run.accel, *speed)).collect();
            let measured: Vec<f64> = simulated.iter().filter_map(|run| frames_to(run, *speed)).collect();
            let expected = quantile(&expected, 0.5)?;
            let accepts = Accepts::Between(expected - frames, expected + frames);
            let name = format!("frames to {speed} m/s, {mode}");
            Some(
                check(name, quantile(&measured, 0.5), accepts)
                    .recorded(Some(expected))
                    .samples(measured.len()),
            )
        }));
    }
    checks
}

fn mean_speed(mode: &str, recorded: &[&SpeedMeasure], simulated: &[Vec<f64>]) -> Option<Check> {
    let expected = mean(&recorded.iter().map(|run| run.v_mean).collect::<Vec<_>>())?;
    let steady: Vec<f64> = simulated.iter().filter_map(|run| mean(run.get(STEADY..)?)).collect();
    let accepts = Accepts::around(expected, SPEED, 0.0);
    let check = check(format!("speed with the ball, {mode}, m/s"), mean(&steady), accepts);
    Some(check.recorded(Some(expected)).samples(steady.len()))
}

/// The runs of the slots that got the ball in the recordings.
fn runs<'a>(speeds: &'a BTreeMap<String, SpeedMeasure>, mode: &str, buttons: &[EngineAction]) -> Runs<'a> {
    let mut recorded = Vec::new();
    let mut simulated = Vec::new();
    for slot in 1..=10 {
        if let Some(run) = speeds.get(&format!("{mode}_{slot}")).filter(|run| run.own_frac > 0.0) {
            recorded.push(run);
            simulated.extend((0..SEEDS).map(|seed| simulate(slot, buttons, seed)));
        }
    }
    (recorded, simulated)
}

fn simulate(slot: usize, buttons: &[EngineAction], seed: u64) -> Vec<f64> {
    let stage = Stage { slot, ball: [-45.0, 0.0], mate: None, keeper: false, defender: None };
    let mut game = stage.game(seed);
    let mut actions = [EngineAction::Right].iter().chain(buttons);
    let frame = |_| {
        game.frame(*actions.next().unwrap_or(&EngineAction::Right));
        length(velocity(&game.state(), slot))
    };
    (0..FRAMES).map(frame).collect()
}

/// Frames from the first of at least 1 m/s to the first of at least this speed.
fn frames_to(speeds: &[f64], speed: f64) -> Option<f64> {
    let begun = speeds.iter().position(|now| *now >= 1.0)?;
    let reached = speeds.iter().position(|now| *now >= speed)?;
    Some(count(reached.checked_sub(begun)?))
}
