//! Time to ball: how soon each player can reach the ball's forecast path. A circle that grows from 0.28 m towards
//! 0.94 of his highest speed, as his present velocity, which moves its centre, fades over 0.7 s.

use super::Game;
use super::ball::FORECAST_POINTS;
use super::ball::Forecast;
use super::pitch::FRAME;
use super::player::Player;
use super::sides::side;
use crate::envs::football::MAX_PLAYERS;
use crate::envs::football::Owner;

const SHARE_OF_SPEED: f64 = 0.94;
const START_RADIUS: f64 = 0.28;
/// Seconds in which the present velocity fades.
const FADE: f64 = 0.7;
/// Highest ball that counts as reachable, metres.
const REACH_HEIGHT: f64 = 1.4;

/// Computes the times of all players.
pub(super) fn update(game: &mut Game) {
    for who in game.everybody() {
        let time = seconds(game.player(who), &game.forecast);
        game.arrival[side(who.team)][who.player] = time;
    }
}

/// Seconds until this player can be at the ball; beyond the forecast, the way to its last point at full speed.
pub(super) fn seconds(player: &Player, forecast: &Forecast) -> f64 {
    let pace = player.max_speed() * SHARE_OF_SPEED;
    let mut seconds = 0.0;
    let mut gap = 0.0;
    for frames in 0..FORECAST_POINTS {
        let point = forecast.at(frames);
        let faded = f64::min(seconds, FADE);
        let lost = 0.5 * faded * faded / FADE;
        let away = point.place - player.place - player.velocity * (faded - lost);
        let radius = START_RADIUS + pace * (lost + seconds - faded);
        if point.height < REACH_HEIGHT && away.dot(away) <= radius * radius {
            return seconds;
        }
        if frames + 1 == FORECAST_POINTS {
            gap = away.length() - radius;
        }
        seconds += FRAME;
    }
    seconds + gap.max(0.0) / pace
}

impl Game {
    /// Seconds in which this player can reach the ball.
    pub(super) fn arrival_of(&self, who: Owner) -> f64 {
        self.arrival[side(who.team)][who.player.min(MAX_PLAYERS - 1)]
    }
}
