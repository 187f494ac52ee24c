//! The odds that a ball arrives: each opponent who can be at its line in time takes some away; one man in the
//! middle of it takes all.

use super::memory::Sight;
use super::moment::{Man, Moment};
use crate::sim::command::Kick;
use crate::sim::vector::Vec2;

/// Metres per second at which an opponent comes to the line.
const SPRINT: f64 = 8.0;
/// A high ball is dangerous for its receiver only, and is second choice.
const HIGH_PENALTY: f64 = 0.4;
const HIGH_SHORTEST: f64 = 10.0;

/// The odds that a pass of this kind from `from` reaches a mate.
pub(super) fn pass(moment: &Moment, sight: &Sight, from: &Man, to: &Man, kind: Kick) -> f64 {
    let way = from.place.distance(to.place);
    if kind == Kick::High && way < HIGH_SHORTEST {
        return 0.0;
    }
    let mut target = to.ahead((0.7 + way * 0.03).min(0.5));
    if kind == Kick::Long {
        target.x += way * 0.2;
    }
    line(moment, sight, from, target, kind, 1.0)
}

/// The odds that a ball gets from `from` to a place, this many times faster than a pass.
pub(super) fn line(moment: &Moment, sight: &Sight, from: &Man, target: Vec2, kind: Kick, faster: f64) -> f64 {
    let origin = from.ahead(0.12);
    let way = target - origin;
    let length = way.length().max(0.1);
    let mut danger = if kind == Kick::High { HIGH_PENALTY } else { 0.0 };
    for rival in &sight.rivals[..moment.rival_count] {
        let place = rival.ahead(0.2) - origin;
        let along = place.dot(way) / (length * length);
        if !(0.0..=1.2).contains(&along) || kind == Kick::High && (0.2..=0.65).contains(&along) {
            continue;
        }
        let off = (way.cross(place) / length).abs();
        let late = if kind == Kick::High && along > 0.5 { 2.5 } else { 0.0 };
        let ball = (0.7 + length * along.min(1.0) * along * 0.03 + late) / faster;
        danger += (ball - (off + 1.0) / SPRINT + 0.5).clamp(0.0, 1.0);
        if danger >= 1.0 {
            return 0.0;
        }
    }
    1.0 - danger
}

#[cfg(test)]
mod tests {
    use super::super::memory::AiMemory;
    use super::super::moment::tests::moment;
    use super::*;

    fn odds(rival: Vec2, kind: Kick) -> f64 {
        let moment = moment(&[(0.0, 0.0), (20.0, 0.0)], &[(50.0, 30.0), (rival.x, rival.y)]);
        let mut memory = AiMemory::new(2, true);
        memory.observe(&moment);
        let sight = memory.sight(&moment, 0);
        pass(&moment, &sight, &moment.mates[0], &moment.mates[1], kind)
    }

    #[test]
    fn a_man_in_the_line_takes_the_odds_and_one_far_off_does_not() {
        assert_eq!(odds(Vec2::new(10.0, 0.5), Kick::Short), 0.0);
        assert_eq!(odds(Vec2::new(10.0, 25.0), Kick::Short), 1.0);
        assert!(odds(Vec2::new(10.0, 0.5), Kick::High) > 0.5, "a high ball passes over him");
    }
}
