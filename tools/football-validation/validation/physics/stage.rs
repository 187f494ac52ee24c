//! Scenes with few players, in metres with y up, and what is read of their games.

use mageyard_football::sim::{DIFFICULTY, Game, Setup};
use mageyard_football::{FrameState, METRES, Owner, Placed, PlayerRole, Scene, Team};

/// Metres of a unit of scene files.
const SCENE: [f64; 2] = [55.0, 84.96];
/// How far behind the ball the carrier starts, metres.
const GAP: f64 = 0.6;

/// A carrier behind the ball, a keeper who is out of the way, and nobody else unless added.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The slot of the carrier, 1 to 10.
    pub(super) slot: usize,
    /// Where the ball lies.
    pub(super) ball: [f64; 2],
    /// A mate: slot and place.
    pub(super) mate: Option<(usize, [f64; 2])>,
    /// Whether the opponents' keeper stands in his goal; otherwise he stands at the corner flag.
    pub(super) keeper: bool,
    /// A defender: place and skill of his team.
    pub(super) defender: Option<([f64; 2], f64)>,
}

impl Stage {
    /// The game at its start.
    pub(super) fn game(&self, seed: u64) -> Game {
        let mut left = vec![placed(-55.0, 0.0, PlayerRole::Gk)];
        let last = self.mate.map_or(self.slot, |mate| mate.0.max(self.slot));
        left.extend((1..=last).map(|slot| self.player(slot)));
        let keeper = if self.keeper {
            placed(-54.5, 0.0, PlayerRole::Gk)
        } else {
            placed(-55.0, -34.0, PlayerRole::Gk)
        };
        let ball = [self.ball[0] / METRES[0], -self.ball[1] / METRES[1]];
        // Opponents are placed in the mirrored frame of their own team.
        let defender = self.defender.map(|([x, y], _)| placed(-x, -y, PlayerRole::Cb));
        let right = [keeper].into_iter().chain(defender).collect();
        let scene = Scene { name: String::new(), ball, left, right };
        let skill = self.defender.map_or(DIFFICULTY[1], |defender| defender.1);
        Game::new(&scene, Setup { seed, difficulty: [DIFFICULTY[0], skill] })
    }

    /// Slots that are not used stand far behind.
    fn player(&self, slot: usize) -> Placed {
        match self.mate {
            _ if slot == self.slot => placed(self.ball[0] - GAP, self.ball[1], PlayerRole::Cm),
            Some((mate, [x, y])) if slot == mate => placed(x, y, PlayerRole::Cf),
            _ => placed(-52.0, 4.25 * f64::from(u8::try_from(slot).unwrap_or(0)) - 25.5, PlayerRole::Cb),
        }
    }
}

fn placed(x: f64, y: f64, role: PlayerRole) -> Placed {
    Placed { x: x / SCENE[0], y: -y / SCENE[1], role }
}

pub(super) fn game(scene: &Scene, seed: u64) -> Game {
    Game::new(scene, Setup { seed, difficulty: DIFFICULTY })
}

/// The place of a player of the left team.
pub(super) fn place(state: &FrameState, slot: usize) -> [f64; 2] {
    metres(state.left.positions[slot])
}

/// His velocity in m/s.
pub(super) fn velocity(state: &FrameState, slot: usize) -> [f64; 2] {
    metres(state.left.movements[slot]).map(|metres| 10.0 * metres)
}

/// The place of the ball.
pub(super) fn ball(state: &FrameState) -> [f64; 2] {
    metres([state.ball[0], state.ball[1]])
}

/// Its speed over ground in m/s.
pub(super) fn ball_speed(state: &FrameState) -> f64 {
    10.0 * length(metres([state.ball_movement[0], state.ball_movement[1]]))
}

/// Whether the player of this slot of the left team has the ball.
pub(super) fn owns(state: &FrameState, slot: usize) -> bool {
    state.owner == Some(Owner { team: Team::Left, player: slot })
}

pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

fn metres([x, y]: [f64; 2]) -> [f64; 2] {
    [METRES[0] * x, -METRES[1] * y]
}
