//! Running to the ball: the first place on its path where a man can be in time.

use super::moment::{FORECAST, Man, Spot};
use crate::sim::vector::Vec2;

/// His legs reach this far, in metres.
const REACH: f64 = 0.28;
/// His present velocity fades over this many seconds.
const FADES: f64 = 0.7;
/// The last part of the highest speed is hard to reach.
const USUAL: f64 = 0.94;
/// A ball higher than this cannot be played, in metres.
const PLAYABLE: f64 = 1.0;

/// Direction (unit) and speed (metres per second) of the way to the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chase {
    pub(super) direction: Vec2,
    pub(super) speed: f64,
}

/// Whether a man can be at a place within this many seconds.
fn reaches(man: &Man, place: Vec2, seconds: f64) -> bool {
    let turning = seconds.min(FADES);
    let drift = turning - turning * turning / (2.0 * FADES);
    let free = turning * turning / (2.0 * FADES) + (seconds - turning);
    let from = man.place + man.velocity.unit_or((place - man.place).unit()) * 0.1 + man.velocity * drift;
    from.distance(place) <= REACH + man.max_speed * USUAL * free
}

/// The way to the ball as its path is seen.
pub(super) fn to_ball(man: &Man, path: &[Spot; FORECAST]) -> Chase {
    let met = (1..FORECAST * 2 - 1).map(|half| f64::from(u8::try_from(half).unwrap_or(0)) * 0.05).find_map(
        |time| {
            let spot = super::moment::along(path, time);
            (spot.height < PLAYABLE && reaches(man, spot.place, time)).then_some((spot.place, time))
        },
    );
    let (target, time) = met.unwrap_or((path[FORECAST - 1].place, 3.0));
    let way = target - man.place;
    let direction = way.unit_or(man.heading);
    let steady = way.length() / time;
    // Who is faster than he needs to be would run away from the ball.
    let speed = if steady < man.velocity.dot(direction) { steady } else { man.max_speed };
    Chase { direction, speed }
}
