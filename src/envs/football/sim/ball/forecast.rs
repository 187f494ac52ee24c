//! Where an untouched ball will be in the next three seconds, a point each 100 ms. It is computed again only after
//! a touch; otherwise one more point is added for each frame.

use super::Ball;
use crate::sim::pitch::FRAME_TICKS;
use crate::sim::vector::Vec2;

/// Points of the forecast: now, and each of the next 30 frames.
pub(crate) const POINTS: usize = 31;

/// A point of the forecast: place and height in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) place: Vec2,
    pub(crate) height: f64,
}

/// The path of the ball if no player touches it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Forecast {
    points: [Point; POINTS],
    /// Index of the present point.
    first: usize,
    /// The ball at the last point.
    last: Ball,
}

impl Forecast {
    /// The path from this ball on.
    pub(crate) fn of(ball: &Ball) -> Self {
        let mut path = Self {
            points: [Point { place: ball.place, height: ball.height }; POINTS],
            first: 0,
            last: *ball,
        };
        for index in 1..POINTS {
            path.points[index] = path.next();
        }
        path
    }

    /// A frame later: drops the present point and adds one at the end.
    pub(crate) fn advance(&mut self) {
        self.points[self.first] = self.next();
        self.first = (self.first + 1) % POINTS;
    }

    /// The ball after this many frames, at most 30.
    pub(crate) fn at(&self, frames: usize) -> Point {
        self.points[(self.first + frames.min(POINTS - 1)) % POINTS]
    }

    fn next(&mut self) -> Point {
        for _ in 0..FRAME_TICKS {
            self.last.tick();
        }
        Point { place: self.last.place, height: self.last.height }
    }
}
