//! Goals, lines and fouls. A stoppage shows the engine's mode with the ball at its spot; play then goes on from
//! there, for set pieces are not simulated (every episode ends with a stoppage).

use super::Game;
use super::ball::Ball;
use super::pitch::{
    AREA_DEPTH, AREA_HALF_WIDTH, GOAL_HALF_WIDTH, GOAL_HEIGHT, HALF_LENGTH, HALF_WIDTH, OUT_MARGIN,
};
use super::sides::attack;
use super::vector::Vec2;
use crate::{GameMode, Owner, Team};

/// Metres from the centre to the spot of a goal kick.
const GOAL_KICK: f64 = 50.6;
/// Metres from the goal line to the penalty spot.
const PENALTY_SPOT: f64 = 11.0;
/// Ticks that a stoppage lasts.
const PAUSE: u16 = 100;

/// Looks at the ball after a tick.
pub(super) fn watch(game: &mut Game) {
    if game.pause > 0 {
        game.pause -= 1;
        if game.pause == 0 {
            game.mode = GameMode::Normal;
        }
        return;
    }
    let ball = &game.ball;
    let side_x = sign(ball.place.x);
    let side_y = sign(ball.place.y);
    if ball.place.x.abs() > HALF_LENGTH + OUT_MARGIN {
        let scored = ball.place.y.abs() < GOAL_HALF_WIDTH && ball.height < GOAL_HEIGHT;
        if scored { goal(game, side_x) } else { behind(game, side_x, side_y) }
    } else if ball.place.y.abs() > HALF_WIDTH + OUT_MARGIN {
        let place = Vec2::new(ball.place.x, side_y * HALF_WIDTH);
        stop(game, GameMode::ThrowIn, place);
    }
}

/// A goal in the goal on the side `side_x` (−1 left, 1 right).
fn goal(game: &mut Game, side_x: f64) {
    let scorer = usize::from(side_x < 0.0);
    game.score[scorer] += 1;
    stop(game, GameMode::Normal, Vec2::ZERO);
    game.kick_off();
}

/// The ball went over a goal line: a corner where a defender touched it last, else a goal kick.
fn behind(game: &mut Game, side_x: f64, side_y: f64) {
    let defender = if side_x < 0.0 { Team::Left } else { Team::Right };
    if game.last_touch.is_some_and(|who| who.team == defender) {
        stop(game, GameMode::Corner, Vec2::new(side_x * HALF_LENGTH, side_y * HALF_WIDTH));
    } else {
        stop(game, GameMode::GoalKick, Vec2::new(side_x * GOAL_KICK, 0.0));
    }
}

/// A foul by this player at his place: a free kick, or a penalty in his own area.
pub(super) fn foul(game: &mut Game, by: Owner) {
    let place = game.player(by).place;
    let own = -attack(by.team);
    let inside = HALF_LENGTH - place.x * own < AREA_DEPTH && place.y.abs() < AREA_HALF_WIDTH;
    if inside {
        stop(game, GameMode::Penalty, Vec2::new(own * (HALF_LENGTH - PENALTY_SPOT), 0.0));
    } else {
        stop(game, GameMode::FreeKick, place);
    }
}

fn stop(game: &mut Game, mode: GameMode, place: Vec2) {
    game.mode = mode;
    game.pause = PAUSE;
    game.ball = Ball::at(place, game.ball.spin_sign);
    game.ball_changed = true;
    game.owner = None;
    game.last_touch = None;
    game.drop_hands();
}

fn sign(value: f64) -> f64 {
    if value < 0.0 { -1.0 } else { 1.0 }
}
