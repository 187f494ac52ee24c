//! The flight of a kicked ball alone, for the comparison with recorded kicks.

use super::ball::Ball;
use super::pitch::FRAME_TICKS;
use super::vector::Vec2;

/// A kicked ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KickedBall {
    /// Where it is: metres from the middle along and across the pitch (y up) and above the grass.
    pub place: [f64; 3],
    /// Its velocity in metres a second.
    pub velocity: [f64; 3],
    /// Speed of its surface in radians a second; positive rolls forwards.
    pub surface: f64,
    /// The share of the kick in its spin; the rest is that of a ball that rolled along before.
    pub share: f64,
    /// The velocity with which it rolled before the kick, in metres a second.
    pub rolled: [f64; 3],
    /// 1, or −1 where spin acts with the other sign.
    pub spin_sign: f64,
}

impl KickedBall {
    /// Place in metres and upward speed in metres a second after each of the next frames of 0.1 s.
    #[must_use]
    pub fn fly(&self, frames: usize) -> Vec<([f64; 3], f64)> {
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
