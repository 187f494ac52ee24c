//! A carrier who runs at one defender, or does not move.

use super::check;
use super::stage::Stage;
use crate::recording::TackleMeasure;
use crate::statistics::{count, quantile};
use crate::validation::{Accepts, Check};
use mageyard_football::{EngineAction, GameMode, Team};

/// How the carrier moves, with his first buttons; the standing one only takes the ball.
const MODES: [(&str, &[EngineAction]); 4] = [
    ("idle", &[]),
    ("walk", &[]),
    ("dribble", &[EngineAction::Dribble]),
    ("sprint", &[EngineAction::Sprint]),
];
/// How far the median frame of the loss may be off, as a share.
const FRAMES: f64 = 0.25;
/// How much the share of lost balls of a standing carrier may be off.
const LOST: f64 = 0.1;
/// Where the ball lies at the start, metres.
const START: f64 = -12.0;
const SLOT: usize = 9;
const SEEDS: u64 = 8;
/// The frames of a run.
const WINDOW: u32 = 200;

pub(super) fn checks(measures: &[TackleMeasure]) -> Vec<Check> {
    MODES.iter().filter_map(|(mode, buttons)| of_mode(mode, buttons, measures)).collect()
}

fn of_mode(mode: &str, buttons: &[EngineAction], measures: &[TackleMeasure]) -> Option<Check> {
    let own: Vec<&TackleMeasure> = measures.iter().filter(|measure| measure.mode == mode).collect();
    let recorded: Vec<Option<f64>> = own
        .iter()
        .flat_map(|measure| &measure.rows)
        .map(|row| row[0].parse().ok().filter(|frame: &f64| frame.is_finite()))
        .collect();
    let runs = own.iter().flat_map(|measure| (0..SEEDS).map(move |seed| (*measure, seed)));
    let simulated: Vec<Option<f64>> = runs.map(|(measure, seed)| run(mode, buttons, measure, seed)).collect();
    if mode == "idle" {
        let expected = share(&recorded)?;
        let accepts = Accepts::Between(expected - LOST, expected + LOST);
        let check = check("balls taken from a carrier who does not move, share", share(&simulated), accepts);
        return Some(check.recorded(Some(expected)).samples(simulated.len()));
    }
    let median = |runs: &[Option<f64>]| quantile(&runs.iter().flatten().copied().collect::<Vec<_>>(), 0.5);
    let expected = median(&recorded)?;
    let name = format!("frames until a lone defender has the ball, {mode}");
    let check = check(name, median(&simulated), Accepts::around(expected, FRAMES, 0.0));
    Some(check.recorded(Some(expected)).samples(simulated.len()))
}

/// The share of runs in which the defender got the ball; none without runs.
fn share(runs: &[Option<f64>]) -> Option<f64> {
    (!runs.is_empty()).then(|| count(runs.iter().flatten().count()) / count(runs.len()))
}

/// The frame in which the defender's team has the ball.
fn run(mode: &str, buttons: &[EngineAction], measure: &TackleMeasure, seed: u64) -> Option<f64> {
    let defender = Some(([START + measure.gap, 0.0], measure.diff));
    let mut game = Stage { slot: SLOT, ball: [START, 0.0], mate: None, keeper: true, defender }.game(seed);
    let mut actions = [EngineAction::Right].iter().chain(buttons);
    for frame in 1..=WINDOW {
        let has_ball = mode == "idle" && game.state().owner.is_some();
        let held = if has_ball { EngineAction::ReleaseDirection } else { EngineAction::Right };
        game.frame(*actions.next().unwrap_or(&held));
        let state = game.state();
        if state.owning_team() == Some(Team::Right) {
            return Some(frame.into());
        }
        if state.mode != GameMode::Normal || state.score != [0; 2] {
            return None;
        }
    }
    None
}
