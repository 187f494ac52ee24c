//! How free the carrier's teammates are at the start of a scene, as a rough geometric chance: an opponent who stands still
//! takes the ball on its way, or at its end, if he reaches the line in time.

use super::Scene;
use super::place::{Metres, distance};
use crate::Team;

/// Above these odds a teammate is free.
pub(super) const FREE: f64 = 0.5;
/// The distances of a pass in metres.
const RANGE: [f64; 2] = [4.0, 30.0];
/// How far an opponent reaches at once, in metres.
const REACH: f64 = 1.0;
/// How fast he runs on average after he stood, in metres a second.
const PACE: f64 = 4.0;
/// Beyond his reach, over how many metres his chance falls to zero.
const FADE: f64 = 3.0;
/// Into how many parts the way of the ball is divided.
const PARTS: u32 = 8;

/// The player of the left team, without the keeper, who is nearest to the ball.
pub(super) fn carrier(scene: &Scene) -> Option<usize> {
    let ball = scene.ball_metres();
    let places = scene.metres(Team::Left);
    let gap = |index: &usize| distance(places[*index], ball);
    (1..places.len()).min_by(|one, other| gap(one).total_cmp(&gap(other)))
}

/// The odds of a pass from the ball to a place, 0 to 1; 0 where it is too near or too far.
pub(super) fn odds(ball: Metres, to: Metres, opponents: &[Metres]) -> f64 {
    let length = distance(ball, to);
    if !(RANGE[0]..=RANGE[1]).contains(&length) {
        return 0.0;
    }
    let risk = |opponent: &Metres| {
        let at = |part: u32| {
            let share = f64::from(part) / f64::from(PARTS);
            let place = [0, 1].map(|axis| ball[axis] + share * (to[axis] - ball[axis]));
            let reached = REACH + PACE * share * (0.7 + 0.03 * length);
            (1.0 - (distance(*opponent, place) - reached) / FADE).clamp(0.0, 1.0)
        };
        (1..=PARTS).map(at).fold(0.0, f64::max)
    };
    (1.0 - opponents.iter().map(risk).sum::<f64>()).max(0.0)
}

/// The free teammates of the carrier, by index; never the keeper.
pub(super) fn free_mates(scene: &Scene) -> Vec<usize> {
    let ball = scene.ball_metres();
    let own = scene.metres(Team::Left);
    let opponents = scene.metres(Team::Right);
    let carrier = carrier(scene);
    let is_free = |index: &usize| Some(*index) != carrier && odds(ball, own[*index], &opponents) > FREE;
    (1..own.len()).filter(is_free).collect()
}
