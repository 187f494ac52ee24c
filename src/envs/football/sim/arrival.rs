//! Time to ball: how soon each player can reach the ball's forecast path. A circle that grows from 0.28 m towards
//! 0.94 of his highest speed, as his present velocity, which moves its centre, fades over 0.7 s.

use super::Game;
use super::ball::{FORECAST_POINTS, Forecast};
use super::pitch::FRAME;
use super::player::{Action, Player};
use super::sides::side;
use crate::{MAX_PLAYERS, Owner};

const SHARE_OF_SPEED: f64 = 0.94;
const START_RADIUS: f64 = 0.28;
/// Seconds in which the present velocity fades.
const FADE: f64 = 0.7;
/// Highest ball that counts as reachable, metres.
const REACH_HEIGHT: f64 = 1.4;
/// What a ball above that counts as, in metres.
const TOO_HIGH: f64 = 0.5;
/// Frames after which a kicker counts again.
const KICKER_BACK: usize = 5;
/// Seconds of a touch: who is nearer in time than this is at the ball, and the metres that make this time.
const AT_THE_BALL: f64 = 0.08;
const FEET: f64 = 0.6;

/// Computes the times of all players.
pub(super) fn update(game: &mut Game) {
    for who in game.everybody() {
        let time = seconds(game.player(who), &game.forecast);
        game.arrival[side(who.team)][who.player] = time;
    }
}

/// Seconds until this player can be at the ball; beyond the forecast, the way to its last point at full speed. A
/// player who has just kicked is not back for half a second; who is at the ball counts by his distance from it.
pub(super) fn seconds(player: &Player, forecast: &Forecast) -> f64 {
    let first = if matches!(player.action, Action::FollowThrough { .. }) { KICKER_BACK } else { 0 };
    let mut before = 0.0;
    for frames in first..FORECAST_POINTS {
        let gap = gap(player, forecast, frames);
        if gap <= 0.0 {
            let time = seconds_of(frames) - if frames == first { 0.0 } else { FRAME * gap / (gap - before) };
            return if time < AT_THE_BALL { at_the_ball(player, forecast) } else { time };
        }
        before = gap;
    }
    seconds_of(FORECAST_POINTS - 1) + before / (player.max_speed() * SHARE_OF_SPEED)
}

/// Metres that are missing to the ball after this many frames; negative where he is in time.
fn gap(player: &Player, forecast: &Forecast, frames: usize) -> f64 {
    let point = forecast.at(frames);
    let seconds = seconds_of(frames);
    let faded = f64::min(seconds, FADE);
    let lost = 0.5 * faded * faded / FADE;
    let away = point.place - player.place - player.velocity * (faded - lost);
    let radius = START_RADIUS + player.max_speed() * SHARE_OF_SPEED * (lost + seconds - faded);
    let high = if point.height < REACH_HEIGHT { 0.0 } else { TOO_HIGH };
    (away.length() - radius).max(high)
}

/// 0 to 0.08 s by the distance from the ball in a moment.
fn at_the_ball(player: &Player, forecast: &Forecast) -> f64 {
    let ball = forecast.at(0).place.mix(forecast.at(1).place, AT_THE_BALL / FRAME);
    let away = player.place + player.velocity * AT_THE_BALL - ball;
    (away.length() / FEET).min(1.0) * AT_THE_BALL
}

#[allow(clippy::cast_precision_loss, reason = "at most 30")]
fn seconds_of(frames: usize) -> f64 {
    frames as f64 * FRAME
}

impl Game {
    /// Seconds in which this player can reach the ball.
    pub(super) fn arrival_of(&self, who: Owner) -> f64 {
        self.arrival[side(who.team)][who.player.min(MAX_PLAYERS - 1)]
    }
}
