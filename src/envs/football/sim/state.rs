//! What is known of the game after a frame, in public units.

use super::pitch::{FRAME, FRAME_TICKS};
use super::{Game, pitch};
use crate::{FrameState, MAX_PLAYERS, Squad};

/// Frames until the engine's own end, at the start.
const FRAMES: u32 = 401;

impl Game {
    /// The game as it is now, as the engine would report it.
    pub fn state(&self) -> FrameState {
        let ball = &self.ball;
        let [x, y] = pitch::public(ball.place);
        let [dx, dy] = pitch::public_movement(ball.velocity);
        let [rx, ry, rz] = ball.spin;
        FrameState {
            ball: [x, y, ball.height],
            ball_movement: [dx, dy, ball.rise * FRAME],
            ball_rotation: [rx, -ry, rz],
            owner: self.owner,
            active: self.controlled,
            mode: self.mode,
            score: self.score,
            sticky: self.input.sticky(),
            left: self.squad(0),
            right: self.squad(1),
            steps_left: FRAMES.saturating_sub(self.tick / FRAME_TICKS),
        }
    }

    fn squad(&self, side: usize) -> Squad {
        let mut squad = Squad { count: self.counts[side], ..Squad::EMPTY };
        for (slot, player) in self.players[side].iter().enumerate().take(MAX_PLAYERS.min(squad.count)) {
            squad.positions[slot] = pitch::public(player.place);
            squad.movements[slot] = pitch::public_movement(player.velocity);
            squad.roles[slot] = player.role;
            squad.tired[slot] = player.tired;
        }
        squad
    }
}
