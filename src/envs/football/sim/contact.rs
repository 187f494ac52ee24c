//! Who meets the ball: traps of loose and passing balls, headers, blocked kicks, tackles. A contact is a matter of
//! chance in each tick, more likely with technique and with a slow ball.

use super::command::Gait;
use super::player::Player;
use super::sides::{attack, side};
use super::vector::Vec2;
use super::{Game, carry, hands, legs, referee, sliding};
use crate::Owner;
use crate::random::Purpose;

/// Highest ball, in metres, that is brought down, and that is headed.
const TRAP_HEIGHT: f64 = 1.5;
const HEAD_HEIGHT: f64 = 2.0;
/// A ball that is brought down keeps this share of the wanted touch, and falls at first at this speed, m/s.
const CHEST: f64 = 0.3;
const DROP: f64 = -0.8;
/// Metres around a player in which legs stop a kick, the same of a keeper who throws himself before a kicker near
/// him, and the height up to which they do.
const BODY: f64 = 0.14;
const DIVING: f64 = 0.45;
const BLOCK_HEIGHT: f64 = 1.2;
/// Ticks after an opponent's kick in which nobody plays the ball: in a team that sees at once, and in one that sees
/// late.
const QUICK: u16 = 12;
const SLOW: u16 = 45;
/// Ticks after a kick in which it comes from so near that a keeper has thrown himself in the way.
const NEAR_KICK: u16 = 10;
/// A kick younger than this bounces off bodies, ticks.
const BLOCK_AGE: u16 = 20;
/// Metres around a player, a moment ahead, in which he meets a moving ball.
const REACH: f64 = 0.60;
/// Metres from which a defender's foot reaches a ball, a moment ahead, that another man has.
const TACKLE_REACH: f64 = 0.85;
/// Metres that he stretches farther for a ball that is sprinted with.
const STRETCH: f64 = 0.6;
/// Chance per tick, at full tackling ability, that a defender in reach touches a carried ball.
const TACKLE: f64 = 0.125;
/// Share of that chance for a defender who does not come at the ball, and the speed that adds all of it.
const STILL: f64 = 0.1;
const FULL_RUN: f64 = 4.0;
/// As a share of it: a defender beside a carrier at full speed.
const RACE: f64 = 0.8;
/// As a share of it: a defender into whom the carrier runs.
const BARRIER: f64 = 0.4;
/// Share of tackles that are fouls.
const FOUL: f64 = 0.02;
/// Share of that chance against a man who stands.
const SHIELDED: f64 = 0.8;
/// Share of that chance which does not depend on ability.
const TACKLE_FLOOR: f64 = 0.35;

/// All contacts of a tick; at most one player touches the ball.
pub(super) fn tick(game: &mut Game) {
    if game.everybody().any(|who| hands::in_hands(game, who)) || hands::tick(game) {
        return;
    }
    if game.ball.height > HEAD_HEIGHT || blocked(game) || sliding::tick(game) {
        return;
    }
    if let Some(last) = game.last_touch.filter(|&who| legs::carries(game, who)) {
        carry::tick(game, last);
    }
    if let Some(who) = nearest_in_reach(game) {
        meet(game, who);
    }
}

/// A young kick bounces off the first body of another player.
fn blocked(game: &mut Game) -> bool {
    if game.since_kick > BLOCK_AGE || game.ball.height > BLOCK_HEIGHT {
        return false;
    }
    let hit = game.everybody().find(|&who| {
        let away = game.ball.place - game.player(who).place;
        let dives = game.since_kick < NEAR_KICK && hands::may_use(game, who);
        let body = if dives { DIVING } else { BODY };
        Some(who) != game.last_touch && away.dot(away) < body * body && away.dot(game.ball.velocity) < 0.0
    });
    let Some(who) = hit else { return false };
    let normal = (game.ball.place - game.player(who).place).unit_or(Vec2::new(1.0, 0.0));
    let towards = game.ball.velocity.dot(normal);
    game.ball.velocity = (game.ball.velocity - normal * (2.0 * towards)) * 0.35;
    game.ball.rise *= 0.35;
    game.touched(who);
    game.since_kick = u16::MAX;
    true
}

/// The player nearest to the ball, of those who can and want to meet it in this tick.
fn nearest_in_reach(game: &Game) -> Option<Owner> {
    let carrier = game.owner;
    let mut best = None;
    let mut least = f64::MAX;
    for who in game.everybody() {
        let player = game.player(who);
        let away = game.ball.place - player.place;
        let distance = away.dot(away);
        if distance < least && distance < 1.5 && may_meet(game, who, carrier, away) {
            (best, least) = (Some(who), distance);
        }
    }
    best
}

fn may_meet(game: &Game, who: Owner, carrier: Option<Owner>, away: Vec2) -> bool {
    let player = game.player(who);
    let own = carrier.is_some_and(|carrier| carrier.team == who.team);
    let own =
        own || game.leaders.holder().0 == side(who.team) && game.leaders.of[side(who.team)] != who.player;
    let hands = hands::may_use(game, who);
    let late = is_own_kick(game, who) || surprised(game, who);
    if own || hands || late || !player.free() || player.duel_pause > 0 {
        return false;
    }
    let (ahead, reach) = if carrier.is_some() {
        (away + (game.ball.velocity - player.velocity) * 0.1, TACKLE_REACH + STRETCH * race(game))
    } else {
        (away - player.velocity * 0.05, REACH)
    };
    ahead.dot(ahead) < reach * reach
}

/// The ball that he has just kicked is not met again.
fn is_own_kick(game: &Game, who: Owner) -> bool {
    game.last_touch == Some(who) && game.player(who).since_touch < 25
}

/// A kick by an opponent is too young to react to.
fn surprised(game: &Game, who: Owner) -> bool {
    let theirs = game.last_touch.is_some_and(|last| last.team != who.team);
    let delay = if game.difficulty(who.team) > 0.5 { QUICK } else { SLOW };
    theirs && game.since_kick < delay
}

fn meet(game: &mut Game, who: Owner) {
    let difficulty = game.difficulty(who.team);
    let ability = game.player(who).ability(difficulty);
    let index = Game::stream(who);
    if game.owner.is_some() {
        let skill = TACKLE_FLOOR + (1.0 - TACKLE_FLOOR) * ability.tackle;
        let meets = (closing(game, who) / FULL_RUN).max(in_the_way(game, who)).max(RACE * race(game));
        let chance = TACKLE * skill * exposure(game) * (STILL + meets);
        if goes_for_ball(game, who) && game.random.chance(Purpose::Duel, index, chance) {
            win(game, who, ability.control);
        }
        return;
    }
    let slow = relative_speed(game, who) < 6.0;
    let chance = if slow { 0.5 } else { 0.08 + 0.65 * ability.control };
    if !game.random.chance(Purpose::Touch, index, chance) {
        return;
    }
    if game.ball.height > TRAP_HEIGHT { head(game, who) } else { trap(game, who, ability.control) }
}

/// A defender plays a ball that another man has when he is told to, or when he is nearer to it.
fn goes_for_ball(game: &Game, who: Owner) -> bool {
    let nearer = game.owner.is_some_and(|owner| game.arrival_of(who) <= game.arrival_of(owner));
    nearer || game.command(who).tackle
}

/// How much the carrier runs the ball into this man, 0 to [`BARRIER`].
fn in_the_way(game: &Game, who: Owner) -> f64 {
    let Some(owner) = game.owner else { return 0.0 };
    let way = game.player(owner).velocity;
    let towards = (game.player(who).place - game.ball.place).unit();
    BARRIER * (way.dot(towards) / FULL_RUN).clamp(0.0, 1.0)
}

/// How fast the carrier runs: 0 at a walk, 1 at full speed.
fn race(game: &Game) -> f64 {
    let speed = game.owner.map_or(0.0, |owner| game.player(owner).velocity.length());
    let walk = Gait::Walk.speed();
    ((speed - walk) / (Gait::Sprint.speed() - walk)).clamp(0.0, 1.0)
}

/// How open the carrier's ball lies: 1 half a metre from a man who runs at 3.5 m/s; more where he plays it farther
/// ahead, less where he stands and shields it.
fn exposure(game: &Game) -> f64 {
    let Some(owner) = game.owner else { return 1.0 };
    let carrier = game.player(owner);
    let away = game.ball.place - carrier.place;
    let runs = (carrier.velocity.length() / Gait::Dribble.speed()).min(1.0);
    (away.dot(away) / 0.25).clamp(0.3, 3.0) * (SHIELDED + (1.0 - SHIELDED) * runs)
}

/// A tackle that meets the ball or, seldom, the man.
fn win(game: &mut Game, who: Owner, control: f64) {
    if game.random.chance(Purpose::Duel, Game::stream(who), FOUL) {
        referee::foul(game, who);
    } else {
        trap(game, who, control);
    }
}

/// How fast a defender comes at the ball, metres per second.
fn closing(game: &Game, who: Owner) -> f64 {
    let player = game.player(who);
    let way = (game.ball.place - player.place).unit();
    (player.velocity - game.ball.velocity).dot(way).clamp(0.0, FULL_RUN)
}

fn relative_speed(game: &Game, who: Owner) -> f64 {
    let relative = game.ball.velocity - game.player(who).velocity;
    (relative.dot(relative) + game.ball.rise * game.ball.rise).sqrt()
}

/// Brings the ball down: the wanted touch, mixed with the old velocity by the error.
fn trap(game: &mut Game, who: Owner, control: f64) {
    let old = game.ball.velocity;
    let height = game.ball.height;
    let command = game.command(who).on_ball();
    game.player_mut(who).heading = Vec2::ZERO;
    carry::touch(game, who, &command);
    let draw = game.random.unit(Purpose::Touch, Game::stream(who));
    let share = 0.45 * (1.05 - control).max(0.0) * draw * draw;
    game.ball.velocity = game.ball.velocity.mix(old, share);
    if height > 0.4 {
        game.ball.velocity = game.ball.velocity * CHEST;
        game.ball.rise = DROP;
    }
    game.since_kick = u16::MAX;
}

/// Heads the ball on: forwards, or away from the own goal.
fn head(game: &mut Game, who: Owner) {
    let index = Game::stream(who);
    let turn = game.hand() * game.random.range(Purpose::Touch, index, -0.8, 0.8);
    let speed = game.random.range(Purpose::Touch, index, 3.0, 6.0);
    let way = Vec2::new(attack(who.team), 0.0).turned(turn);
    game.ball.kick(way * speed, 2.0, 0.0, 0.7);
    game.player_mut(who).since_touch = 0;
    game.touched(who);
    game.since_kick = u16::MAX;
}

/// Whether the ball lies at a player's feet: near and slow enough to play it.
pub(super) fn has_ball(game: &Game, player: &Player) -> bool {
    if game.ball.height >= 0.5
        || !matches!(player.action, super::player::Action::Free | super::player::Action::Kick { .. })
    {
        return false;
    }
    let centre = player.place + player.velocity * 0.05 + player.facing * 0.1;
    let away = game.ball.place - centre;
    let relative = game.ball.velocity - player.velocity;
    away.dot(away) <= 1.0 && relative.dot(relative) + game.ball.rise * game.ball.rise <= 36.0
}

/// Updates who possesses and who owns the ball.
pub(super) fn update_owner(game: &mut Game) {
    for who in game.everybody() {
        let player = game.player(who);
        let has = player.holds() || has_ball(game, player);
        game.player_mut(who).possession = has;
    }
    game.owner = game.last_touch.filter(|&who| game.player(who).possession);
}
