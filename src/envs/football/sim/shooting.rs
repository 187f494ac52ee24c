//! Shots: power and errors from how the shooter runs, where he shoots and how hard. An easy shot goes where it is
//! aimed; of a hard one a random share is the worst case: weaker, higher, towards the run and scattered (engine's
//! rules).

use super::Game;
use super::command::{KickRequest, KickTarget};
use super::pitch::HALF_LENGTH;
use super::sides::attack;
use super::vector::Vec2;
use crate::Owner;
use crate::random::Purpose;

/// Speed of a shot at full power, metres per second.
const FULL: f64 = 45.0;
const SPRINT: f64 = 8.0;
/// A shot across the run at this angle is the easiest, radians.
const BEST_ANGLE: f64 = 0.628;
/// The speed at which shooting is easiest, metres per second.
const BEST_PACE: f64 = 3.5;
/// The swing slows the run to this share.
const SLOWED: f64 = 0.7;
/// Upward slope of a good shot.
const LIFT: f64 = 0.05;

/// How a shot is struck: each 0 to 1, 1 easiest.
#[derive(Clone, Copy, Debug)]
struct Pose {
    /// The angle between run and shot.
    angle: f64,
    /// The speed of the run.
    pace: f64,
    /// How far ball and run agree: 1 less their difference in tens of metres per second.
    together: f64,
}

/// Kicks the ball at the goal.
pub(super) fn shoot(game: &mut Game, who: Owner, request: &KickRequest) {
    let aim = (goal(game, who, request) - game.ball.place).unit();
    let pose = pose(game, who, aim);
    let power = power(game, who, request.power, pose);
    let hard = difficulty(power, pose);
    let index = Game::stream(who);
    let skill = game.player(who).ability(game.difficulty(who.team)).shot;
    let along = game.player(who).velocity.unit_or(game.player(who).facing);
    let side = game.hand();
    let mut draw = |low, high| game.random.range(Purpose::Shot, index, low, high);
    let scatter = Vec2::new(draw(-0.5, 0.5), draw(-0.5, 0.5) * side) * hard;
    let height = 0.7 * bend(libm::pow(hard, 0.7), 0.7) + draw(-0.5, 0.5) * hard;
    let share = libm::pow(draw(0.0, 1.0), 0.7 * skill);
    let spin = -20.0 + draw(-20.0, 20.0) * (0.3 + 0.7 * share);
    let worst = aim.mix(along, 0.8 * hard).unit_or(aim) + scatter;
    let weak = power * (1.0 - 0.5 * libm::pow(hard, 0.7));
    let velocity = (aim * power).mix(worst.unit_or(aim) * weak, share);
    let rise = LIFT * power * (1.0 - share) + height.max(0.0) * weak * share;
    game.ball.kick(velocity, rise, spin, 0.7);
}

fn pose(game: &Game, who: Owner, aim: Vec2) -> Pose {
    let player = game.player(who);
    let along = player.velocity.unit_or(player.facing);
    let off = (along.angle_to(aim).abs() - BEST_ANGLE).abs() / std::f64::consts::PI;
    let speed = player.velocity.length() * SLOWED;
    Pose {
        angle: libm::pow(bend(1.0 - off, 0.8), 0.8),
        pace: 1.0 - ((speed - BEST_PACE).abs() / 4.0).min(1.0),
        together: 1.0 - (player.velocity.distance(game.ball.velocity) / 10.0).min(1.0),
    }
}

/// Speed of a shot that succeeds, metres per second.
fn power(game: &Game, who: Owner, wanted: f64, pose: Pose) -> f64 {
    let player = game.player(who);
    let run = libm::pow((player.velocity.length() / SPRINT).min(1.0), 0.3);
    let body = (0.7 + 0.3 * pose.angle) * (0.7 + 0.3 * run);
    let most = 32.0 + 13.0 * player.ability(game.difficulty(who.team)).shot_power;
    (FULL * (0.7 + 0.3 * wanted.sqrt()) * body).min(most) * (1.2 - 0.2 * pose.together)
}

/// 0 easy to 1.
fn difficulty(power: f64, pose: Pose) -> f64 {
    let gentle = bend(1.0 - ((power - 30.0) / 70.0).clamp(0.0, 1.0), 1.0);
    let easy = (0.4 + 0.6 * pose.angle)
        * (0.7 + 0.3 * pose.pace)
        * (0.88 + 0.12 * pose.together)
        * (0.6 + 0.4 * gentle);
    (1.0 - easy).clamp(0.0, 1.0)
}

/// A share, bent into an S by this amount.
fn bend(value: f64, amount: f64) -> f64 {
    value + (value * value * (3.0 - 2.0 * value) - value) * amount
}

/// Where a shot is aimed: the place, or the goal off its middle to the side of the held direction.
fn goal(game: &Game, who: Owner, request: &KickRequest) -> Vec2 {
    let middle = Vec2::new(HALF_LENGTH * attack(who.team), 0.0);
    match request.target {
        KickTarget::Place(place) => place,
        KickTarget::Aim(direction) if direction != Vec2::ZERO => {
            let angle = (middle - game.ball.place).angle_to(direction) / std::f64::consts::FRAC_PI_2;
            let side = if angle < 0.0 { -1.0 } else { 1.0 };
            let off = side * libm::pow(angle.abs().min(1.0), 0.7) * 3.33;
            middle + Vec2::new(0.0, off * attack(who.team))
        }
        _ => middle,
    }
}
