//! A keeper's hands: catches and parries in his area, and carries the ball until he releases it.

use super::player::Action;
use super::sides::attack;
use super::vector::Vec2;
use super::{Game, pitch};
use crate::random::Purpose;
use crate::{Owner, Team};

/// Height of a ball in hands, metres.
const HAND_HEIGHT: f64 = 1.35;
/// A keeper's ball above this comes from his hands, metres.
pub(super) const HANDS: f64 = 0.7;
/// Metres ahead of the body at which it is held.
const AHEAD: f64 = 0.4;
/// Metres that a keeper reaches sideways, and up.
const REACH: f64 = 1.1;
const REACH_UP: f64 = 2.45;
/// Share of the speed that a parried ball keeps.
const PARRY: f64 = 0.3;
/// How far a parry turns the ball at most, radians, and how fast it sends it up at most, m/s.
const PARRY_TURN: f64 = 1.6;
const PARRY_LIFT: f64 = 8.0;
/// Ticks after a parry without another save.
const PARRY_PAUSE: u16 = 40;
/// Ticks after a kick in which a catch is harder.
const SURPRISE: f64 = 85.0;
/// Chance per tick that the hands of a keeper who saw the ball come meet it in reach.
const MEET: f64 = 0.35;
/// Ticks after a kick in which no keeper reacts, and after which nearly every one does.
const NO_REACTION: f64 = 25.0;
const FULL_REACTION: f64 = 80.0;
/// Ticks a keeper needs to hold the ball before he throws.
const HOLD_LEAST: u16 = 60;

/// The ball in a keeper's hands moves with him; whether one has it.
pub(super) fn carry(game: &mut Game) -> bool {
    let keeper = [Team::Left, Team::Right].map(|team| Owner { team, player: 0 });
    let Some(who) = keeper.into_iter().find(|&who| in_hands(game, who)) else { return false };
    let player = game.player_mut(who);
    if let Action::Hold { ticks } = player.action {
        player.action = Action::Hold { ticks: ticks.saturating_add(1) };
    }
    let place = player.place + player.facing * AHEAD;
    game.ball.velocity = Vec2::ZERO;
    game.ball.rise = 0.0;
    game.ball.spin = [0.0; 3];
    game.ball.place = place;
    game.ball.height += (HAND_HEIGHT - game.ball.height) * 0.04;
    true
}

/// Whether this keeper has the ball in his hands: holds it, or swings to throw it.
pub(super) fn in_hands(game: &Game, who: Owner) -> bool {
    let player = game.player(who);
    let throws = matches!(player.action, Action::Kick { .. });
    let throws = throws && who.player == 0 && game.last_touch == Some(who);
    player.holds() || throws && game.ball.height > HANDS
}

/// Whether a keeper may throw the ball now.
pub(super) fn may_release(action: Action) -> bool {
    matches!(action, Action::Hold { ticks } if ticks >= HOLD_LEAST)
}

/// The keepers' hands in a tick; true if one met the ball.
pub(super) fn tick(game: &mut Game) -> bool {
    [Team::Left, Team::Right].into_iter().any(|team| save(game, Owner { team, player: 0 }))
}

/// Whether this is a keeper and the ball lies where he may take it with his hands.
pub(super) fn may_use(game: &Game, who: Owner) -> bool {
    who.player == 0 && pitch::in_hands_area(game.ball.place, -attack(who.team))
}

fn save(game: &mut Game, who: Owner) -> bool {
    let player = game.player(who);
    let away = game.ball.place - player.place - player.velocity * 0.05;
    let near = away.dot(away) < REACH * REACH && game.ball.height < REACH_UP;
    let kicked_by_him = game.last_touch == Some(who) && player.since_touch < 60;
    if !near || !may_use(game, who) || !player.free() || player.duel_pause > 0 || kicked_by_him {
        return false;
    }
    let relative = (game.ball.velocity - player.velocity).length();
    let slow = relative < 6.0;
    let index = Game::stream(who);
    if !slow && !game.random.chance(Purpose::Keeper, index, alertness(game.since_kick)) {
        return false;
    }
    meet(game, who, relative);
    true
}

/// Chance per tick of meeting a ball in reach, this many ticks after the kick.
fn alertness(since_kick: u16) -> f64 {
    let ready = (f64::from(since_kick) - NO_REACTION) / (FULL_REACTION - NO_REACTION);
    let ready = ready.clamp(0.05, 0.97);
    MEET * ready * ready
}

/// Catches the ball where it is slow and old enough, else parries it.
fn meet(game: &mut Game, who: Owner, relative: f64) {
    let recency = (1.0 - f64::from(game.since_kick) / SURPRISE).clamp(0.0, 1.0);
    if (1.0 - relative / 40.0) * (1.0 - recency) >= 0.3 {
        game.touched(who);
        game.player_mut(who).action = Action::Hold { ticks: 0 };
        return;
    }
    parry(game, who);
}

/// The ball flies on with a part of its speed, aside and up; a parry is no touch for a corner.
fn parry(game: &mut Game, who: Owner) {
    let index = Game::stream(who);
    let mut draw = |low, high| game.random.range(Purpose::Keeper, index, low, high);
    let turn = draw(-PARRY_TURN, PARRY_TURN);
    let lift = draw(0.0, 1.0);
    let turn = turn * game.hand();
    game.ball.velocity = game.ball.velocity.turned(turn) * PARRY;
    game.ball.rise = game.ball.rise.abs() * PARRY + PARRY_LIFT * lift * lift;
    game.ball_changed = true;
    game.since_kick = u16::MAX;
    game.player_mut(who).duel_pause = PARRY_PAUSE;
}

impl Game {
    /// Takes the ball out of every hand.
    pub(super) fn drop_hands(&mut self) {
        for side in &mut self.players {
            for player in side.iter_mut().filter(|player| player.holds()) {
                player.action = Action::Free;
            }
        }
    }
}
