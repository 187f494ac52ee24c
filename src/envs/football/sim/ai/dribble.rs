//! Running with the ball: a force field of the five nearest opponents, the lines and the goal.

use super::effort::{PER_METRE, gait};
use super::field::{Fading, Field};
use super::memory::Sight;
use super::moment::Moment;
use crate::sim::pitch::{HALF_LENGTH, HALF_WIDTH};
use crate::sim::vector::Vec2;

/// Seconds by which the field looks ahead.
const AHEAD: f64 = 0.25;
/// How strongly the middle of the pitch attracts, 0 to 1.
const MIDDLE: f64 = 0.72;
const LINES: Fading = Fading::Within { reach: 20.0, exponent: 0.7 };
const OPPONENTS: Fading = Fading::Within { reach: 10.0, exponent: 1.0 };

/// Direction (unit) and speed (a nominal gait) of a carrier whose role has this mindset.
pub(super) fn movement(moment: &Moment, sight: &Sight, mate: usize, mindset: f64) -> (Vec2, f64) {
    let man = &moment.mates[mate];
    let mut field = Field::at(man.ahead(AHEAD), 1.0);
    for rival in moment.nearest_rivals::<5>(man.place).iter() {
        field.repel(sight.rivals[rival].ahead(AHEAD), 2.0, OPPONENTS);
    }
    let place = man.place;
    let sign = |value: f64| if value > 0.0 { 1.0 } else { -1.0 };
    field.repel(Vec2::new(place.x, (HALF_WIDTH + 5.0) * sign(place.y)), 4.0, LINES);
    field.repel(Vec2::new((HALF_LENGTH + 5.0) * sign(place.x), place.y), 4.0, LINES);
    let depth = (place.x / HALF_LENGTH).clamp(-1.0, 1.0);
    let inward = place.y * (1.0 - MIDDLE) * 0.5 * (1.0 - depth * depth);
    field.attract(Vec2::new(HALF_LENGTH, inward), 0.725 + 0.05 * mindset, Fading::None);
    let velocity = field.velocity();
    (velocity.unit_or(man.heading), gait((velocity.length() * PER_METRE).min(8.0)))
}
