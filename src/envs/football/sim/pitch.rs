//! The pitch and the units of the simulator: metres with the origin at the centre, x towards the right goal,
//! y up (away from the camera), z up; seconds; ticks of 10 ms. Public units, as a [`FrameState`] has them, are
//! x = m/54.4 and y = −m/83.6.
//!
//! [`FrameState`]: super::super::frame_state::FrameState

use super::vector::Vec2;

/// Seconds of a tick.
pub(crate) const TICK: f64 = 0.01;
/// Ticks of a frame.
pub(crate) const FRAME_TICKS: u32 = 10;
/// Seconds of a frame.
pub(crate) const FRAME: f64 = 0.1;
/// Metres from the centre to a goal line.
pub(crate) const HALF_LENGTH: f64 = 55.0;
/// Metres from the centre to a side line.
pub(crate) const HALF_WIDTH: f64 = 36.0;
/// Metres from the middle of the goal to a post.
pub(crate) const GOAL_HALF_WIDTH: f64 = 3.7;
/// Metres from the ground to the bar.
pub(crate) const GOAL_HEIGHT: f64 = 2.5;
/// Metres from the goal line to the back of the net.
pub(crate) const GOAL_DEPTH: f64 = 2.55;
/// Radius of the ball in metres; the height of its centre at rest.
pub(crate) const BALL_RADIUS: f64 = 0.11;
/// The ball is out, or in the goal, when its centre is this far beyond a line: radius and half the line, metres.
pub(crate) const OUT_MARGIN: f64 = 0.17;
/// Depth of the penalty area in metres.
pub(crate) const AREA_DEPTH: f64 = 16.5;
/// Half the width of the penalty area in metres.
pub(crate) const AREA_HALF_WIDTH: f64 = 20.15;
/// Depth of the part of the area where a keeper uses his hands, in metres.
pub(crate) const HANDS_DEPTH: f64 = 16.4;
/// Half its width in metres.
pub(crate) const HANDS_HALF_WIDTH: f64 = 20.05;
/// Public units of x are metres divided by this.
const PUBLIC_X: f64 = 54.4;
/// Public units of y are metres divided by this, downwards.
const PUBLIC_Y: f64 = -83.6;
/// Units of a scene in metres: a player at (x, y) stands at (55x, −84.96y) of his team's own frame, in
/// metres with y up.
const SCENE_X: f64 = 55.0;
const SCENE_Y: f64 = -84.96;

/// Metres of a place or velocity in public units.
pub(crate) fn metres(public: [f64; 2]) -> Vec2 {
    Vec2::new(public[0] * PUBLIC_X, public[1] * PUBLIC_Y)
}

/// Public units of a place in metres.
pub(crate) fn public(metres: Vec2) -> [f64; 2] {
    [metres.x / PUBLIC_X, metres.y / PUBLIC_Y]
}

/// Public units per frame of a velocity in metres per second.
pub(crate) fn public_movement(velocity: Vec2) -> [f64; 2] {
    public(velocity * FRAME)
}

/// Metres of a player's place in a scene, in his team's own frame (towards positive x).
pub(crate) fn scene_metres(x: f64, y: f64) -> Vec2 {
    Vec2::new(x * SCENE_X, y * SCENE_Y)
}

/// Whether the place lies in the part of the area, on the side `sign` (−1 left, 1 right), where the keeper uses
/// his hands.
pub(crate) fn in_hands_area(place: Vec2, sign: f64) -> bool {
    let depth = HALF_LENGTH - place.x * sign;
    depth < HANDS_DEPTH && depth > -OUT_MARGIN && place.y.abs() < HANDS_HALF_WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scene_places_are_observed_as_the_engine_shows_them() {
        let [x, y] = public(scene_metres(-0.5, 0.25));
        assert!((x + 0.5 * 1.011).abs() < 1e-4 && (y - 0.25 * 1.0163).abs() < 1e-4, "{x} {y}");
    }

    #[test]
    fn lines_lie_where_the_public_units_put_them() {
        let corner = public(Vec2::new(HALF_LENGTH, -HALF_WIDTH));
        assert!((corner[0] - 1.011).abs() < 1e-3 && (corner[1] - 0.4306).abs() < 1e-3);
        assert_eq!(public(metres(corner)), corner);
    }
}
