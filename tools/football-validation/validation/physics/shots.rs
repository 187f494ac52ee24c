//! Shots at a keeper. Recordings with a keeper who never moves are left out: the simulator has none.

use super::check;
use super::stage::{Stage, ball, ball_speed};
use crate::recording::ShotMeasure;
use crate::statistics::{count, mean, quantile};
use crate::validation::{Accepts, Check};
use mageyard_football::{EngineAction, GameMode};

/// The median first speed, m/s.
const SPEED: (f64, f64) = (30.0, 33.0);
/// How many goals of twelve may be off.
const GOALS: f64 = 4.0;
const SEEDS: u64 = 24;
const SLOT: usize = 9;
/// The carrier starts so much farther away, metres.
const WALK: f64 = 2.5;
/// A ball faster than this was shot, m/s.
const SHOT: f64 = 15.0;

/// Goals of twelve and first speeds.
struct Shots {
    goals: f64,
    speeds: Vec<f64>,
}

pub(super) fn checks(measures: &[ShotMeasure]) -> Vec<Check> {
    let awake = measures.iter().filter(|measure| measure.gk && !measure.rows.is_empty());
    let mut rows: Vec<(String, f64, Shots)> = Vec::new();
    for measure in awake {
        let distance = mean(&measure.rows.iter().map(|row| row.dist).collect::<Vec<_>>()).unwrap_or_default();
        let scored = measure.rows.iter().filter(|row| row.out.as_deref() == Some("goal")).count();
        let goals = 12.0 * count(scored) / count(measure.rows.len());
        let place = format!("{distance:.0} m, {:.0} m off the middle", measure.yoff);
        rows.push((place, goals, simulated(distance, measure.yoff)));
    }
    let off = |row: &(String, f64, Shots)| (row.1 - row.2.goals).abs();
    let Some(worst) = rows.iter().max_by(|one, other| off(one).total_cmp(&off(other))) else {
        return Vec::new();
    };
    let note = format!("{}: recorded {:.1}, simulated {:.1}", worst.0, worst.1, worst.2.goals);
    let speeds: Vec<f64> = rows.iter().flat_map(|row| row.2.speeds.clone()).collect();
    vec![
        check("median speed of shots, m/s", quantile(&speeds, 0.5), Accepts::Between(SPEED.0, SPEED.1))
            .samples(speeds.len()),
        check("largest difference of goals of 12 shots", Some(off(worst)), Accepts::Most(GOALS))
            .samples(rows.len())
            .note(note),
    ]
}

fn simulated(distance: f64, off: f64) -> Shots {
    let mut shots = Shots { goals: 0.0, speeds: Vec::new() };
    for seed in 0..SEEDS {
        let (goal, speed) = shot(distance, off, seed);
        shots.goals += if goal { 12.0 / 24.0 } else { 0.0 };
        shots.speeds.extend(speed);
    }
    shots
}

/// Whether it is a goal, and the first speed.
fn shot(distance: f64, off: f64, seed: u64) -> (bool, Option<f64>) {
    let place = [55.0 - distance - WALK, off];
    let mut game = Stage { slot: SLOT, ball: place, mate: None, keeper: true, defender: None }.game(seed);
    for _ in 0..30 {
        game.frame(EngineAction::Right);
        if game.state().owner.is_some() && 55.0 - ball(&game.state())[0] <= distance {
            break;
        }
    }
    let mut fastest = None;
    for frame in 0..60 {
        game.frame(if frame == 0 { EngineAction::Shot } else { EngineAction::Right });
        let state = game.state();
        fastest = fastest.or(Some(ball_speed(&state)).filter(|now| *now > SHOT));
        let over = state.mode != GameMode::Normal || state.score != [0; 2];
        if over || state.owning_team() == Some(mageyard_football::Team::Right) {
            return (state.score[0] > 0, fastest);
        }
    }
    (false, fastest)
}
