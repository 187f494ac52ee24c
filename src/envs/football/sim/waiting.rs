//! Waiting for a pass: the agent's man goes to the place on the ball's path that is nearest to him, and stands
//! there, whatever direction is held.

use super::ball::{FORECAST_POINTS, Forecast};
use super::pitch::FRAME;
use super::player::Player;
use super::vector::Vec2;

/// Highest ball that he can bring down, metres.
const PLAYABLE: f64 = 1.2;
/// Metres that a ball on its way rolls at least in a frame.
const STILL: f64 = 0.12;
/// Nearer than this he stands.
const THERE: f64 = 0.25;

/// Direction (unit or zero) and speed of the way to a pass.
pub(super) fn way_to_pass(player: &Player, forecast: &Forecast) -> (Vec2, f64) {
    let Some((place, seconds)) = meeting(player, forecast) else { return (Vec2::ZERO, 0.0) };
    let way = place - player.place;
    let distance = way.length();
    if distance < THERE {
        return (Vec2::ZERO, 0.0);
    }
    (way.unit(), (1.3 * distance / seconds.max(0.15)).min(8.0))
}

/// The nearest point of the path that he can reach before the ball, and when it comes there; none where the ball
/// stops before him or comes later than the forecast goes.
fn meeting(player: &Player, forecast: &Forecast) -> Option<(Vec2, f64)> {
    let mut best = None;
    let mut least = f64::MAX;
    let mut seconds = 0.0;
    for frames in 0..FORECAST_POINTS {
        let point = forecast.at(frames);
        let distance = point.place.distance(player.place);
        if point.height < PLAYABLE && distance + 0.05 < least && distance < 0.6 + 7.0 * seconds {
            (best, least) = (Some((point.place, seconds, frames)), distance);
        }
        seconds += FRAME;
    }
    let (place, seconds, frames) = best?;
    let rolls = frames == 0 || forecast.at(frames - 1).place.distance(place) > STILL;
    (rolls && frames + 1 < FORECAST_POINTS).then_some((place, seconds))
}
