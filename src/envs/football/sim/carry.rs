//! Running with the ball: touches that aim where the player will be, the way he follows between them, and turns,
//! which wait for a touch. Intervals, distances and speed caps were measured on the real engine.

use super::ball::Ball;
use super::command::{Command, Gait};
use super::motion::Limits;
use super::pitch::{BALL_RADIUS, TICK};
use super::player::Player;
use super::vector::Vec2;
use super::{Game, motion};
use crate::Owner;
use crate::random::Purpose;

/// A touch slows the player to this share of his highest speed.
const TOUCH_CAP: f64 = 0.92;
/// A touch takes a little of any speed.
const TOUCH_KEEPS: f64 = 0.96;
/// Upward speed that a touch gives, m/s.
const TOUCH_RISE: f64 = 0.9;
/// A sprinting carrier turns this much with one touch, radians (22.5°).
const SPRINT_TURN: f64 = std::f64::consts::FRAC_PI_8;
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
/// Sprint and dribble together kick the ball ahead for this many times the usual interval.
const FAR: f64 = 3.2;
/// A touch that turns the run slows the player to this share of his highest speed.
const TURN_CAP: f64 = 0.87;
/// Seconds that a touch waits longer while he turns round.
const TURN_SECONDS: f64 = 0.25;
/// A touch counts on at most this much more speed than he has, metres per second.
const OVERDRIVE: f64 = 2.0;
/// Nominal dribbling is this fast with the ball, metres per second.
const DRIBBLE: f64 = 3.9;

/// Metres from the player at which he meets a ball ahead of him, at this speed.
pub(super) fn contact_distance(speed: f64) -> f64 {
    0.37 + 0.11 * (speed - 5.5).max(0.0)
}

/// Whether the ball is where the player's foot can play it.
pub(super) fn in_reach(player: &Player, place: Vec2, height: f64) -> bool {
    let speed = player.velocity.length();
    let away = place - player.place;
    height < 1.0 && away.dot(away) < square(contact_distance(speed) + 0.15)
}

fn square(value: f64) -> f64 {
    value * value
}

/// Where a carrier who has almost stopped turns his body.
pub(super) fn facing(game: &Game, who: Owner) -> Option<Vec2> {
    let player = game.player(who);
    let command = game.command(who);
    let slow = player.velocity.dot(player.velocity) < 1.0;
    (slow && command.speed > 0.1 && player.heading != Vec2::ZERO).then_some(player.heading)
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
        return stand_by(player, away, &game.ball);
    }
    let heading = player.heading.unit_or(command.direction);
    let speed = with_ball(command.speed).max(catching_up(player, &game.ball));
    let side = heading.cross(away);
    if heading.dot(away) < 0.0 && away.length() > 0.35 {
        return away.unit() * speed.min(3.5);
    }
    let steered = heading + heading.left() * (0.8 * side).clamp(-0.5, 0.5);
    turning(player.velocity, player.facing, steered.unit(), speed)
}

/// The speed of a run with the ball.
fn with_ball(speed: f64) -> f64 {
    if (speed - Gait::Dribble.speed()).abs() < 0.3 { DRIBBLE } else { speed }
}

/// The wanted velocity of a carrier who turns to `heading`: the sharper the turn, the slower; for more than about
/// 115° he stops and turns his body first.
fn turning(velocity: Vec2, facing: Vec2, heading: Vec2, speed: f64) -> Vec2 {
    let now = velocity.length();
    if now < 0.6 {
        return if facing.dot(heading) > 0.5 { heading * speed } else { Vec2::ZERO };
    }
    let cosine = velocity.dot(heading) / now;
    if cosine > 0.97 {
        return heading * speed;
    }
    heading * (speed * ((cosine + 0.45) / 1.45).clamp(0.0, 0.85))
}

/// The speed that brings him to a ball that was played too far ahead even where less is wanted: that of the
/// way to where it will be in a third of a second.
fn catching_up(player: &Player, ball: &Ball) -> f64 {
    let far = contact_distance(player.velocity.length()) + STRAYED;
    let away = ball.place - player.place;
    if away.dot(away) < far * far { 0.0 } else { (away + ball.velocity * 0.33).length() * PER_METRE }
}

/// Standing with the ball: close up to it where it lies too far away, run after it where it strayed.
fn stand_by(player: &Player, away: Vec2, ball: &Ball) -> Vec2 {
    let distance = away.length();
    let wanted = contact_distance(0.0);
    if distance < wanted + 0.25 {
        return Vec2::ZERO;
    }
    away.unit() * (2.0 * (distance - wanted)).min(3.5).max(catching_up(player, ball))
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
    let slow = speed < 1.8 && player.since_touch > 10;
    let changes = turns_back(player, command) || command.agile && changes_course(player, command);
    player.next_touch == 0
        || slow
        || changes
        || leaves(game, player)
        || command.agile && caught_up(game, player)
}

/// He runs faster than the ball and has it at his foot again.
fn caught_up(game: &Game, player: &Player) -> bool {
    let speed = player.velocity.length();
    let ahead = player.heading.dot(game.ball.place - player.place);
    let slower = player.heading.dot(game.ball.velocity) < speed - 0.5;
    player.since_touch > 15 && slower && ahead < contact_distance(speed)
}

/// He wants to run elsewhere, or much slower.
fn changes_course(player: &Player, command: &Command) -> bool {
    let speed = player.velocity.length();
    let turns = command.direction.dot(player.velocity) < 0.85 * speed;
    player.since_touch > 10 && (turns || command.speed < 0.6 * speed)
}

/// He wants to turn round: the next step stops the ball.
fn turns_back(player: &Player, command: &Command) -> bool {
    let speed = player.velocity.length();
    speed > SPRINTING
        && player.since_touch > 10
        && command.direction.dot(player.velocity) < -0.5 * speed
        && player.heading.dot(player.velocity) > 0.0
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
    let turns = heading.dot(player.velocity.unit_or(heading)) < 0.95;
    player.heading = heading;
    let cap = player.max_speed() * if turns { TURN_CAP } else { TOUCH_CAP };
    player.velocity = (player.velocity * TOUCH_KEEPS).at_most(cap);
    let ability = player.ability(difficulty);
    let limits = limits(player, difficulty);
    let speed = if command.speed < 0.1 { 0.0 } else { with_ball(command.speed).min(limits.speed) };
    let most = if command.agile { player.velocity.length() + OVERDRIVE } else { limits.speed };
    let speed = speed.min(most);
    let far = command.close && command.speed > SPRINTING;
    let back = heading.dot(player.velocity) < -0.3 * player.velocity.length();
    let seconds = interval(player.velocity.length(), speed, far) + if back { TURN_SECONDS } else { 0.0 };
    let ticks = ticks(seconds);
    let wanted = |velocity| turning(velocity, heading, heading, speed);
    let (place, velocity) = motion::predict(player, wanted, limits, ticks);
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

/// Seconds until the next touch, from the present and the wanted speed.
fn interval(now: f64, wanted: f64, far: bool) -> f64 {
    if wanted < 0.1 {
        return 0.3;
    }
    let share = 0.5 * (now.min(wanted) + wanted) / 8.0;
    let seconds = 0.25 + 0.6 * share * share;
    if far { seconds * FAR } else { seconds }
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
    let sprints = player.velocity.length() > SPRINTING && command.speed > SPRINTING && !command.agile;
    if sprints && angle.abs() > SPRINT_TURN && angle.abs() < SPRINT_TURN_MOST {
        return along.turned(if angle < 0.0 { -SPRINT_TURN } else { SPRINT_TURN });
    }
    wanted
}

/// The velocity of a ball on the grass that covers `way` in this time.
pub(super) fn push_velocity(way: Vec2, seconds: f64) -> Vec2 {
    let mean = way.length() / seconds;
    let loss = 1.1 + 0.045 * mean * mean;
    way.unit() * (mean + 0.5 * loss * seconds)
}

/// The error of a touch in radians.
fn error(game: &mut Game, who: Owner, technique: f64) -> f64 {
    let index = Game::stream(who);
    let most = 0.06 * (1.2 - technique);
    game.hand() * game.random.range(Purpose::Touch, index, -most, most)
}
