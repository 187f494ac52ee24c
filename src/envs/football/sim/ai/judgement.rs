//! How good a player's situation is: the space before him, the space around him, and how far forward he is.

use super::memory::Sight;
use super::moment::{Man, Moment};
use super::numbers::share;
use crate::PlayerRole;
use crate::sim::pitch::HALF_LENGTH;
use crate::sim::vector::Vec2;

const GOAL: Vec2 = Vec2::new(HALF_LENGTH, 0.0);
/// Metres around a place that count as its space.
const SPACE: f64 = 5.0;
const SPRINT: f64 = 8.0;

/// The rating, 0 to 1, of a man in the eyes of a carrier whose role has this mindset.
pub(super) fn situation(moment: &Moment, sight: &Sight, man: &Man, mindset: f64) -> f64 {
    let forward_weight = 2.0 + mindset * 6.0;
    let before = free_space(moment, sight, man.place + Vec2::new(SPRINT * 0.5, 0.0), 0.5);
    let around = free_space(moment, sight, man.ahead(0.1), 0.1);
    (before * 0.4 + around * 0.3 + forward(man.place) * forward_weight) / (0.7 + forward_weight)
}

/// 1 at the goal, 0 at a length's distance; the last metres count most.
fn forward(place: Vec2) -> f64 {
    let near = 1.0 - (GOAL.distance(place) / (2.0 * HALF_LENGTH)).clamp(0.0, 1.0);
    near * near.sqrt()
}

/// How free a place will be in this many seconds if every opponent in the field comes to it.
fn free_space(moment: &Moment, sight: &Sight, place: Vec2, seconds: f64) -> f64 {
    let step = SPRINT * (seconds - 0.2).max(0.0);
    let mut crowd = 0.0;
    for (seen, rival) in sight.rivals.iter().zip(moment.rivals()) {
        if rival.role != PlayerRole::Gk {
            let distance = (seen.ahead(0.2).distance(place) - step).max(0.0);
            crowd += 1.0 - (distance / SPACE).min(1.0);
        }
    }
    1.0 - share(crowd, 0.0, 2.5)
}
