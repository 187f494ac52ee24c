//! A player's body: where he is and how he runs, what his legs are busy with, and how tired he is.

use super::ability::Ability;
use super::command::KickRequest;
use super::stride::Stride;
use super::vector::Vec2;
use crate::PlayerRole;

/// What the legs are busy with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    /// Runs or stands; may touch the ball.
    Free,
    /// Swings at the ball; the foot meets it after `contact` ticks, or `late` ticks later where it was away.
    Kick { request: KickRequest, contact: u16, late: u16 },
    /// The ball has just left the foot; no touch for this many ticks.
    FollowThrough { left: u16 },
    /// Slides on the ground.
    Slide { left: u16 },
    /// Lies or stumbles.
    Down { left: u16 },
    /// A keeper has the ball in his hands.
    Hold { ticks: u16 },
}

/// A player. Metres, seconds and ticks, in the axes of the pitch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Player {
    pub(crate) place: Vec2,
    pub(crate) velocity: Vec2,
    /// Unit vector.
    pub(crate) facing: Vec2,
    pub(crate) action: Action,
    pub(crate) role: PlayerRole,
    /// Where the scene put him.
    pub(crate) home: Vec2,
    /// Place in the ability table.
    pub(crate) slot: u8,
    /// 0 fresh, 1 exhausted.
    pub(crate) tired: f64,
    /// Ticks since he last touched the ball.
    pub(crate) since_touch: u16,
    /// Ticks until the next touch of a run with the ball is due.
    pub(crate) next_touch: u16,
    /// Where he runs with the ball since his last touch: a unit vector, or zero.
    pub(crate) heading: Vec2,
    /// The ball lies at his feet, near and slow enough to play it.
    pub(crate) possession: bool,
    /// Ticks in which a duel stays decided: he cannot tackle again, or is not tackled again.
    pub(crate) duel_pause: u16,
    /// He stands where he is unless the agent moves him or the ball is at his feet.
    pub(crate) lazy: bool,
    /// What his legs do while he is without the ball.
    pub(crate) stride: Stride,
}

impl Player {
    /// A player who stands at his place of the scene, looking along `facing`.
    pub(crate) const fn new(role: PlayerRole, slot: u8, home: Vec2, facing: Vec2) -> Self {
        Self {
            place: home,
            velocity: Vec2::ZERO,
            facing,
            action: Action::Free,
            role,
            home,
            slot,
            tired: 0.0,
            since_touch: u16::MAX,
            next_touch: 0,
            heading: Vec2::ZERO,
            possession: false,
            duel_pause: 0,
            lazy: false,
            stride: Stride::NONE,
        }
    }

    /// His abilities in a team with this difficulty (0 to 1), tiredness counted.
    pub(crate) fn ability(&self, difficulty: f64) -> Ability {
        Ability::of_slot(usize::from(self.slot)).scaled(difficulty, self.tired)
    }

    /// His highest speed in metres per second.
    pub(crate) fn max_speed(&self) -> f64 {
        Ability::of_slot(usize::from(self.slot)).max_speed() * (1.0 - 0.05 * self.tired)
    }

    /// Whether he may play the ball now.
    pub(crate) fn free(&self) -> bool {
        self.action == Action::Free
    }

    /// Whether he has the ball in his hands.
    pub(crate) fn holds(&self) -> bool {
        matches!(self.action, Action::Hold { .. })
    }
}
