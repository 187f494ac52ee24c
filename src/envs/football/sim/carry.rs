//! Running with the ball: touches that aim where the player will be, the way he follows between them, and turns,
//! which wait for a touch. Intervals, distances and speed caps were measured on the real engine.

use super::Game;
use super::command::Command;
use super::motion;
use super::motion::Limits;
use super::pitch::BALL_RADIUS;
use super::pitch::TICK;
use super::player::Player;
use super::vector::Vec2;
use crate::envs::football::Owner;
use crate::envs::football::random::Purpose;

/// A touch slows the player to this share of his highest speed.
const TOUCH_CAP: f64 = 0.92;
/// Upward speed that a touch gives, m/s.
const TOUCH_RISE: f64 = 0.6;
/// A sprinting carrier turns this much with one touch, radians (22.5°).
const SPRINT_TURN: f64 = 0.392_699_081_698_724_14;
/// Beyond this angle (126°) he brakes and turns on the spot.
const SPRINT_TURN_MOST: f64 = 2.199_114_857_512_855;
/// Speed from which a carrier turns in steps.
const SPRINTING: f64 = 6.0;
/// Grip with the ball, as a share of that without.
const GRIP: f64 = 0.62;
/// A ball this much beyond the touch has strayed, metres.
const STRAYED: f64 = 0.5;
/// Metres per second for each metre of the way to the ball.
const PER_METRE: f64 = 2.6;
/// Sprint and dribble together kick the ball this much farther ahead.
const FAR: f64 = 1.35;

/// Metres from the player at which he meets a ball ahead of him, at this speed.
pub(super) fn contact_distance(speed: f64) -> f64 {
    0.30 + 0.0012 * speed * speed * speed
}

/// Whether the ball is where the player's foot can play it.
pub(super) fn in_reach(player: &Player, place: Vec2, height: f64) -> bool {
    let speed = player.velocity.length();
    let away = place - player.place;
    height < 1.0 && away.dot(away) < square(contact_distance(speed) + 0.12)
}

fn square(value: f64) -> f64 {
    value * value
}

/// Limits of motion of a player with the ball.
pub(super) fn limits(player: &Player, difficulty: f64) -> Limits {
    let free = Limits::free(player.max_speed(), player.ability(difficulty).acceleration);
    Limits { grip: GRIP, ..free }
}

/// The velocity that a carrier runs with between touches: along his heading, towards the ball where it strayed.
pub(super) fn run(game: &Game, who: Owner, command: &Command) -> Vec2 {
    let player = game.player(who);
    let away = game.ball.place + game.ball.velocity * 0.2 - player.place;
    if command.speed < 0.1 {
        return stand_by(player, away);
    }
    let speed = command.speed.max(catching_up(player, away, game.ball.velocity));
    let heading = player.heading.unit_or(command.direction);
    let side = heading.cross(away);
    let ahead = heading.dot(away);
    if ahead < 0.0 && away.length() > 0.35 {
        return away.unit() * speed.min(3.5);
    }
    let steered = heading + heading.left() * (0.8 * side).clamp(-0.5, 0.5);
    steered.unit() * speed
}

/// The speed that brings him to a ball that was played too far ahead even where less is wanted: that of the
/// way to where it will be in a third of a second.
fn catching_up(player: &Player, away: Vec2, ball: Vec2) -> f64 {
    let far = contact_distance(player.velocity.length()) + STRAYED;
    if away.dot(away) < far * far { 0.0 } else { (away + ball * 0.13).length() * PER_METRE }
}

/// Standing with the ball: close up to it where it lies too far away.
fn stand_by(player: &Player, away: Vec2) -> Vec2 {
    let distance = away.length();
    let wanted = contact_distance(0.0);
    if distance < wanted + 0.25 && player.velocity.dot(player.velocity) < 4.0 {
        return Vec2::ZERO;
    }
    if distance < wanted + 0.25 { Vec2::ZERO } else { away.unit() * (2.0 * (distance - wanted)).min(3.5) }
}

/// One tick of a carrier: touches the ball where a touch is due and possible.
pub(super) fn tick(game: &mut Game, who: Owner) {
    let command = game.command(who).on_ball();
    let player = game.player(who);
    if !player.free() || !in_reach(player, game.ball.place, game.ball.height) {
        return;
    }
    if is_due(game, who, &command) {
        touch(game, who, &command);
    }
}

fn is_due(game: &Game, who: Owner, command: &Command) -> bool {
    let player = game.player(who);
    let speed = player.velocity.length();
    if command.speed < 0.1 {
        return speed > 0.5 && player.since_touch > 20 || game.ball.velocity.length() > 0.8;
    }
    player.next_touch == 0 || (speed < 1.8 && player.since_touch > 10) || leaves(game, player)
}

/// The ball is about to roll out of reach behind or beside him.
fn leaves(game: &Game, player: &Player) -> bool {
    let away = game.ball.place - player.place;
    player.since_touch > 20 && player.heading.dot(away) < 0.1
}

/// Plays the ball to where the player will be.
pub(super) fn touch(game: &mut Game, who: Owner, command: &Command) {
    let difficulty = game.difficulty(who.team);
    let player = game.player_mut(who);
    let heading = new_heading(player, command);
    player.heading = heading;
    cap_speed(player);
    let ability = player.ability(difficulty);
    let limits = limits(player, difficulty);
    let speed = if command.speed < 0.1 { 0.0 } else { command.speed.min(limits.speed) };
    let far = command.close && command.speed > SPRINTING;
    let seconds = interval(player.velocity.length(), speed, far);
    let ticks = ticks(seconds);
    let (place, velocity) = motion::predict(player, heading * speed, limits, ticks);
    let target = place + heading * contact_distance(velocity.length());
    player.since_touch = 0;
    player.next_touch = ticks;
    let way = target - game.ball.place;
    let angle = error(game, who, ability.dribble);
    let ball = push_velocity(way, seconds).turned(angle);
    game.ball.push(ball);
    game.ball.rise = if speed > 0.0 { TOUCH_RISE } else { 0.0 };
    game.ball.height = game.ball.height.max(BALL_RADIUS);
    game.touched(who);
}

fn cap_speed(player: &mut Player) {
    player.velocity = player.velocity.at_most(player.max_speed() * TOUCH_CAP);
}

/// Seconds until the next touch, from the present and the wanted speed.
fn interval(now: f64, wanted: f64, far: bool) -> f64 {
    if wanted < 0.1 {
        return 0.3;
    }
    let share = 0.5 * (now.min(wanted) + wanted) / 8.0;
    let seconds = 0.25 + 0.6 * share * share;
    if far { seconds * FAR * 1.15 } else { seconds }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds lie between 0 and 2")]
fn ticks(seconds: f64) -> u16 {
    (seconds / TICK) as u16
}

/// Where he runs after this touch: the wanted direction, or a step towards it in a sprint.
fn new_heading(player: &Player, command: &Command) -> Vec2 {
    let wanted = command.direction.unit_or(player.facing);
    let along = player.velocity.unit_or(player.facing);
    let angle = along.angle_to(wanted);
    let sprints = player.velocity.length() > SPRINTING && command.speed > SPRINTING;
    if sprints && angle.abs() > SPRINT_TURN && angle.abs() < SPRINT_TURN_MOST {
        return along.turned(if angle < 0.0 { -SPRINT_TURN } else { SPRINT_TURN });
    }
    wanted
}

/// The velocity of a ball on the grass that covers `way` in this time.
pub(super) fn push_velocity(way: Vec2, seconds: f64) -> Vec2 {
    let mean = way.length() / seconds;
    let loss = 1.3 + 0.05 * mean * mean;
    way.unit() * (mean + 0.5 * loss * seconds)
}

/// The error of a touch in radians.
fn error(game: &mut Game, who: Owner, technique: f64) -> f64 {
    let index = Game::stream(who);
    let most = 0.06 * (1.2 - technique);
    game.hand() * game.random.range(Purpose::Touch, index, -most, most)
}
