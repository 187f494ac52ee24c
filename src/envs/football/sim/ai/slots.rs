//! The ten slots of a formation, and the keeper's.

use crate::MAX_PLAYERS;
use crate::sim::vector::Vec2;

/// The slots by index in the team, −1 to 1 from own to opposing goal and from right to left: keeper, back four,
/// midfield three, left wing, centre forward, right wing. They belong to the index, whatever role the scene
/// gives the player.
const PLACES: [[f64; 2]; MAX_PLAYERS] = [
    [-1.0, 0.0],
    [-0.74, 0.77],
    [-1.0, 0.15],
    [-1.0, -0.15],
    [-0.74, -0.77],
    [0.0, 0.3],
    [-0.12, 0.0],
    [0.0, -0.3],
    [0.36, 0.85],
    [1.0, 0.0],
    [0.36, -0.85],
];
/// Two slots are at least this far apart.
const APART: f64 = 0.5;

/// The slots of a team.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slots([[f64; 2]; MAX_PLAYERS]);

impl Slots {
    /// The slots of a team of this many players, moved apart where they are close.
    pub(super) fn of(count: usize) -> Self {
        let mut places = PLACES;
        for _ in 0..10 {
            if !spread(&mut places[1..count.clamp(1, MAX_PLAYERS)]) {
                break;
            }
        }
        Self(places)
    }

    /// The place of a slot.
    pub(super) fn place(&self, slot: usize) -> Vec2 {
        Vec2::new(self.0[slot][0], self.0[slot][1])
    }
}

/// Pushes close slots apart by half of what is missing; whether any was moved.
fn spread(places: &mut [[f64; 2]]) -> bool {
    let mut pushes = [Vec2::ZERO; MAX_PLAYERS];
    let mut moved = false;
    for one in 0..places.len() {
        for other in one + 1..places.len() {
            let gap = vector(places[one]) - vector(places[other]);
            if gap.length() < APART {
                let push = gap.unit_or(Vec2::new(0.0, 1.0)) * ((APART - gap.length()) / 2.0);
                pushes[one] += push;
                pushes[other] += -push;
                moved = true;
            }
        }
    }
    for (place, push) in places.iter_mut().zip(pushes) {
        *place = [(place[0] + push.x).clamp(-1.0, 1.0), (place[1] + push.y).clamp(-1.0, 1.0)];
    }
    moved
}

fn vector(place: [f64; 2]) -> Vec2 {
    Vec2::new(place[0], place[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_their_distance() {
        let slots = Slots::of(11);
        for one in 1..11 {
            for other in one + 1..11 {
                let gap = slots.place(one).distance(slots.place(other));
                assert!(gap > 0.45, "{one} and {other}: {gap}");
            }
        }
        assert_eq!(slots.0[0], PLACES[0]);
    }
}
