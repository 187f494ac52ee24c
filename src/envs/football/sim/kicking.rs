//! Kicks: from the wish through the swing to the contact, with its errors. The times from wish to contact were
//! measured on the real engine.

use super::command::{Kick, KickRequest, KickTarget};
use super::passing::Aimed;
use super::player::Action;
use super::vector::Vec2;
use super::{Game, hands, passing, shooting};
use crate::Owner;
use crate::random::Purpose;

/// Ticks without a touch after a kick.
const FOLLOW_THROUGH: u16 = 30;
/// Ticks that a swing waits for the ball before the player gives up.
const PATIENCE: u16 = 25;
/// Metres from the player in which the swinging foot meets the ball.
const FOOT: f64 = 1.2;

/// Begins the kick that a player with the ball was told to make.
pub(super) fn begin(game: &mut Game, who: Owner) {
    let Some(request) = game.command(who).kick else { return };
    let player = game.player(who);
    let plays = player.free() && player.possession && !is_theirs(game, who);
    if !(plays || hands::may_release(player.action)) {
        return;
    }
    let contact = delay(game, who, &request);
    game.player_mut(who).action = Action::Kick { request, contact, late: 0 };
    game.command_mut(who).kick = None;
    game.kick_begun(who);
}

/// An opponent has the ball: it must be won before it is kicked.
fn is_theirs(game: &Game, who: Owner) -> bool {
    game.owner.is_some_and(|owner| owner.team != who.team)
}

/// Ticks from the wish to the contact; a turn of the body takes longer.
fn delay(game: &mut Game, who: Owner, request: &KickRequest) -> u16 {
    let (least, spread) = match request.kind {
        Kick::Short | Kick::Long => (21, 12.0),
        Kick::High | Kick::Clear => (13, 10.0),
        Kick::Shot => (11, 7.0),
    };
    let turn = match request.target {
        KickTarget::Aim(direction) => game.player(who).facing.angle_to(direction).abs(),
        _ => 0.0,
    };
    let index = Game::stream(who);
    let draw = game.random.unit(Purpose::Start, index);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 30")]
    let more = (draw * spread + 4.0 * turn) as u16;
    least + more
}

/// One tick of a swing.
pub(super) fn swing(game: &mut Game, who: Owner) {
    let Action::Kick { request, contact, late } = game.player(who).action else { return };
    if contact > 0 {
        game.player_mut(who).action = Action::Kick { request, contact: contact - 1, late };
        return;
    }
    let away = game.ball.place - game.player(who).place;
    if game.ball.height < 1.5 && away.dot(away) < FOOT * FOOT && !is_theirs(game, who) {
        strike(game, who, &request);
    } else if late < PATIENCE {
        game.player_mut(who).action = Action::Kick { request, contact, late: late + 1 };
    } else {
        game.player_mut(who).action = Action::Free;
    }
}

/// The foot meets the ball.
pub(super) fn strike(game: &mut Game, who: Owner, request: &KickRequest) {
    let receiver = match request.kind {
        Kick::Shot => {
            shooting::shoot(game, who, request);
            None
        }
        kind => pass(game, who, kind, request.target),
    };
    game.touched(who);
    let player = game.player_mut(who);
    player.action = Action::FollowThrough { left: FOLLOW_THROUGH };
    player.since_touch = 0;
    game.since_kick = 0;
    game.kicked(who, receiver);
}

fn pass(game: &mut Game, who: Owner, kind: Kick, target: KickTarget) -> Option<u8> {
    let Aimed { place, receiver } = passing::aim(game, who, kind, target);
    let way = place - game.ball.place;
    let thrown = game.ball.height > hands::HANDS && who.player == 0;
    let (speed, slope) =
        if thrown { passing::throw(way.length()) } else { passing::strength(kind, way.length()) };
    let ability = game.player(who).ability(game.difficulty(who.team));
    let skill = if matches!(kind, Kick::High | Kick::Clear) { ability.high_pass } else { ability.short_pass };
    let worst = std::f64::consts::FRAC_PI_2 * touch_difficulty(game, who, way).min(0.5) * (1.0 - 0.5 * skill);
    let turn = game.hand() * game.random.range(Purpose::Pass, Game::stream(who), -worst, worst);
    let velocity = way.unit_or(game.player(who).facing).turned(turn) * speed;
    let rolls = matches!(kind, Kick::Short | Kick::Long);
    let surface = if rolls { 3.5 } else { -1.3 } * speed.min(15.0);
    game.ball.kick(velocity, speed * slope, surface, 0.9);
    receiver
}

/// How hard a kick along `way` is: 0 easy, with a resting ball and straight ahead.
fn touch_difficulty(game: &Game, who: Owner, way: Vec2) -> f64 {
    let player = game.player(who);
    let turn = player.facing.angle_to(way).abs() / std::f64::consts::PI;
    let relative = (game.ball.velocity - player.velocity).length();
    0.02 + 0.006 * relative + 0.12 * turn + 0.004 * player.velocity.length()
}
