//! The camera of the broadcast view: behind the near side line, high, always at the same angle, following the play.

use super::super::{FrameState, Team};
use super::markings::{Metres, length, metres, velocity};
use super::players::ball_place;
use super::point::Point;

/// The place that the camera looks at: metres from the centre, y up, the average of the last 1.5 seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Focus([f64; 2]);

/// The share of a new frame in the average: its mean age is that of an average over 15 frames.
const SHARE: f64 = 0.125;
/// The farthest that the focus is from the middle line along the pitch.
const REACH: f64 = 24.9;

impl Focus {
    /// The place of the action in this frame alone: 0.6 of the owner and 0.4 of the ball, a metre ahead of him in the
    /// direction of his movement, and up to four metres more by his speed.
    pub fn on(state: &FrameState) -> Self {
        let ball = ball_place(state);
        let owner = state.owner.map_or((Team::Left, state.active), |owner| (owner.team, owner.player));
        let squad = state.squad(owner.0);
        let slot = Some(owner.1).filter(|slot| *slot < squad.count);
        let place = slot.map_or(ball, |slot| metres(squad.positions[slot]));
        let velocity = slot.map_or([0.0; 2], |slot| velocity(squad.movements[slot]));
        let speed = length(velocity);
        let ahead = if speed > 0.1 { (1.0 + (speed / 2.0).min(4.0)) / speed } else { 0.0 };
        let mixed = [0, 1].map(|axis| 0.6 * place[axis] + 0.4 * ball[axis] + ahead * velocity[axis]);
        Self([mixed[0], (-mixed[1]).clamp(-REACH, REACH)])
    }

    /// The focus one frame later.
    #[must_use]
    pub fn after(self, state: &FrameState) -> Self {
        let Self(now) = Self::on(state);
        Self([0, 1].map(|axis| self.0[axis] + SHARE * (now[axis] - self.0[axis])))
    }
}

/// The angle below the horizon, in degrees.
const PITCH: f64 = 29.7;
const HEIGHT: f64 = 29.1;

/// A projection of places in metres to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    eye: [f64; 2],
    sine: f64,
    cosine: f64,
    /// Pixels of a metre at a distance of one metre.
    focal: f64,
    middle: Point,
}

/// A ground line of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundRow {
    /// The y of all its pixels, in metres, y down.
    pub(super) y: f64,
    /// The x of the left edge of its first pixel.
    pub(super) left: f64,
    /// Metres in a pixel.
    pub(super) step: f64,
}

impl Camera {
    /// The camera that looks at this focus in a picture of this size.
    pub(super) fn new(Focus([x, y]): Focus, size: Point) -> Self {
        let radians = |degrees: f64| degrees.to_radians();
        let view = radians(19.6 - y / 30.0);
        Self {
            eye: [0.85 * x, 0.75 * y - 57.9],
            sine: libm::sin(radians(PITCH)),
            cosine: libm::cos(radians(PITCH)),
            focal: size[1] / 2.0 / libm::tan(view / 2.0),
            middle: size.map(|side| side / 2.0),
        }
    }

    /// The pixel of a place (y down) at this height, and the pixels in a metre there; `None` behind the camera.
    pub(super) fn project(&self, [x, y]: Metres, height: f64) -> Option<(Point, f64)> {
        let across = x - self.eye[0];
        let away = -y - self.eye[1];
        let down = HEIGHT - height;
        let depth = away * self.cosine + down * self.sine;
        if depth < 1.0 {
            return None;
        }
        let scale = self.focal / depth;
        let up = away * self.sine - down * self.cosine;
        Some(([self.middle[0] + scale * across, self.middle[1] - scale * up], scale))
    }

    /// The ground in the row of pixels with this middle.
    pub(super) fn ground_row(&self, middle: f64) -> GroundRow {
        let slope = (self.middle[1] - middle) / self.focal;
        let away = HEIGHT * (self.cosine + slope * self.sine) / (self.sine - slope * self.cosine);
        let step = (away * self.cosine + HEIGHT * self.sine) / self.focal;
        GroundRow { y: -(away + self.eye[1]), left: self.eye[0] - step * self.middle[0], step }
    }

    /// How much shorter a length towards the camera looks than one across.
    pub(super) fn flatness(&self) -> f64 {
        self.sine
    }
}
