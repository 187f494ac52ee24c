//! The flight of a kicked ball alone, for the comparison with recorded kicks.

use super::ball::Ball;
use super::pitch::FRAME_TICKS;
use super::vector::Vec2;

/// A kicked ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KickedBall {
    /// Where it is, metres, y up.
    pub(crate) place: [f64; 3],
    /// Metres a second.
    pub(crate) velocity: [f64; 3],
    /// Speed of its surface in radians a second; positive rolls forwards.
    pub(crate) surface: f64,
    /// The share of the kick in its spin; the rest is that of a ball that rolled along before.
    pub(crate) share: f64,
    /// With this velocity.
    pub(crate) rolled: [f64; 3],
    /// 1, or −1 where spin acts with the other sign.
    pub(crate) spin_sign: f64,
}

impl KickedBall {
    /// Place and upward speed after each of the next frames.
    pub(crate) fn fly(&self, frames: usize) -> Vec<([f64; 3], f64)> {
        let plane = |space: [f64; 3]| Vec2::new(space[0], space[1]);
        let mut ball = Ball::at(plane(self.place), self.spin_sign);
        ball.height = self.place[2];
        ball.push(plane(self.rolled));
        ball.kick(plane(self.velocity), self.velocity[2], self.surface, self.share);
        let frame = |_| {
            (0..FRAME_TICKS).for_each(|_| ball.tick());
            ([ball.place.x, ball.place.y, ball.height], ball.rise)
        };
        (0..frames).map(frame).collect()
    }
}
