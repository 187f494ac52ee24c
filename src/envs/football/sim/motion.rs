//! How players run: a law of acceleration measured on the real engine, with limits for braking and turning.

use super::pitch::TICK;
use super::player::Player;
use super::vector::Vec2;

/// Below this speed players accelerate, brake and turn almost at once.
const SLOW: f64 = 1.8;
/// Limit of acceleration below [`SLOW`], m/s².
const START: f64 = 30.0;
/// Limit of acceleration just above [`SLOW`], m/s².
const PUSH: f64 = 11.0;
/// Limits of braking and of turning without the ball, m/s² (fastest hundredth of recorded frames).
const BRAKE: f64 = 24.0;
const TURN: f64 = 20.0;
/// Turning rate of a body that stands or looks elsewhere, radians per second.
const FACING_RATE: f64 = 9.0;

/// Limits of one player's motion in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Highest speed in metres per second.
    pub(crate) speed: f64,
    /// Acceleration from ability: 0.7 to 1.
    pub(crate) acceleration: f64,
    /// Braking and turning, as a share of what is possible without the ball.
    pub(crate) grip: f64,
}

impl Limits {
    /// Without the ball, for this acceleration ability (0 to 1).
    pub(crate) fn free(speed: f64, acceleration: f64) -> Self {
        Self { speed, acceleration: 0.7 + 0.3 * acceleration, grip: 1.0 }
    }
}

/// The velocity one tick later of somebody who wants `wanted`.
pub(crate) fn accelerate(velocity: Vec2, wanted: Vec2, limits: Limits) -> Vec2 {
    let wanted = wanted.at_most(limits.speed);
    let change = wanted - velocity;
    if change == Vec2::ZERO {
        return velocity;
    }
    let speed = velocity.length();
    if speed < 0.3 {
        return velocity + change.at_most(START * limits.acceleration * TICK);
    }
    let along = velocity * (1.0 / speed);
    let forward = change.dot(along);
    let sideways = change.cross(along);
    let most = push(speed, limits) * TICK;
    let forward = forward.clamp(-BRAKE * limits.grip * TICK, most);
    let side_limit = TURN * limits.grip * TICK;
    let sideways = sideways.clamp(-side_limit, side_limit);
    velocity + along * forward - along.left() * sideways
}

/// Limit of forward acceleration at this speed.
fn push(speed: f64, limits: Limits) -> f64 {
    if speed <= SLOW {
        return START * limits.acceleration;
    }
    let share = ((speed - SLOW) / (limits.speed - SLOW).max(0.1)).min(1.0);
    PUSH * (1.0 - power_1_8(share)) * limits.acceleration
}

/// x^1.8 for x between 0 and 1, to 0.003.
fn power_1_8(x: f64) -> f64 {
    x * (0.0645 + x * (1.104 - x * 0.1685))
}

/// Moves a player by one tick, and turns him towards his run or the wanted facing; right about by his left shoulder, or by
/// the right one for a hand of −1.
pub(crate) fn step(player: &mut Player, wanted: Vec2, facing: Option<Vec2>, limits: Limits, hand: f64) {
    player.velocity = accelerate(player.velocity, wanted, limits);
    if player.velocity == Vec2::ZERO && facing.is_none() {
        return;
    }
    player.place += player.velocity * TICK;
    let fast = player.velocity.dot(player.velocity) > 0.25;
    let look = match facing {
        Some(look) if !fast || player.velocity.dot(player.velocity) < 9.0 => look,
        _ if fast => player.velocity.unit(),
        _ => return,
    };
    player.facing = turn(player.facing, look, hand);
}

/// `facing`, turned towards `look` by at most one tick's turn.
fn turn(facing: Vec2, look: Vec2, hand: f64) -> Vec2 {
    let most = FACING_RATE * TICK;
    let cross = facing.cross(look);
    let near = facing.dot(look) > 0.0 && cross.abs() < most;
    if near {
        return look.unit_or(facing);
    }
    let side = if cross * hand < 0.0 { -most } else { most } * hand;
    (facing + facing.left() * side).unit_or(facing)
}

/// Where a player will be after `ticks`, and how fast, if he wants what `wanted` says of his velocity.
pub(crate) fn predict(
    player: &Player,
    wanted: impl Fn(Vec2) -> Vec2,
    limits: Limits,
    ticks: u16,
) -> (Vec2, Vec2) {
    let mut place = player.place;
    let mut velocity = player.velocity;
    for _ in 0..ticks {
        velocity = accelerate(velocity, wanted(velocity), limits);
        place += velocity * TICK;
    }
    (place, velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_metres_a_second_take_half_a_second_from_rest() {
        let limits = Limits::free(7.93, 0.93);
        let mut velocity = Vec2::ZERO;
        let mut ticks = 0;
        while velocity.x < 4.99 {
            velocity = accelerate(velocity, Vec2::new(5.0, 0.0), limits);
            ticks += 1;
        }
        assert!((35..55).contains(&ticks), "{ticks} ticks");
    }

    #[test]
    fn the_short_form_of_the_power_is_close() {
        for hundredth in 0..=100 {
            let x = f64::from(hundredth) / 100.0;
            assert!((power_1_8(x) - libm::pow(x, 1.8)).abs() < 0.004, "{x}");
        }
    }

    #[test]
    fn nobody_runs_faster_than_his_limit() {
        let limits = Limits::free(7.5, 1.0);
        let mut velocity = Vec2::ZERO;
        for tick in 0..3000 {
            let way = Vec2::new(8.0, 0.0).turned(f64::from(tick) * 0.01);
            velocity = accelerate(velocity, way, limits);
            assert!(velocity.length() < 7.6, "tick {tick}: {}", velocity.length());
        }
    }
}
