//! Bodies are circles that push each other apart.

use super::Game;
use super::sides::{attack, side};
use super::vector::Vec2;
use crate::Owner;

/// Radius of a body in metres.
const RADIUS: f64 = 0.36;
/// Metres that a man with the ball in his hands keeps others farther off.
const HOLDING: f64 = 0.25;
/// Share of an overlap that one tick removes.
const PUSH: f64 = 0.35;

/// Pushes overlapping bodies apart and takes the part of their speed that leads into each other.
pub(super) fn push_apart(game: &mut Game) {
    for one in game.everybody() {
        for other in game.everybody().filter(|&other| Game::stream(other) > Game::stream(one)) {
            push_pair(game, one, other);
        }
    }
}

fn push_pair(game: &mut Game, one: Owner, other: Owner) {
    let away = game.player(other).place - game.player(one).place;
    let holds = game.player(one).holds() || game.player(other).holds();
    let apart = 2.0 * RADIUS + if holds { HOLDING } else { 0.0 };
    if away.x.abs() > apart || away.y.abs() > apart {
        return;
    }
    let distance = away.length();
    if distance >= apart {
        return;
    }
    // Two at one place part along the pitch, the first one to his own goal.
    let normal = if distance < 1e-6 { Vec2::new(attack(one.team), 0.0) } else { away * (1.0 / distance) };
    let overlap = PUSH * (apart - distance);
    let firm = firmness(game, one, other);
    let closing = (game.player(one).velocity - game.player(other).velocity).dot(normal);
    let brake = normal * (0.5 * 0.2 * closing.max(0.0));
    let players = &mut game.players;
    let first = &mut players[side(one.team)][one.player];
    first.place = first.place - normal * (overlap * (1.0 - firm));
    first.velocity = first.velocity - brake;
    let second = &mut players[side(other.team)][other.player];
    second.place += normal * (overlap * firm);
    second.velocity += brake;
}

/// How firmly the first of two men stands, 0.25 to 0.75: better balance, and having the ball.
fn firmness(game: &Game, one: Owner, other: Owner) -> f64 {
    let stand = |who: Owner| {
        let ball = if game.owner == Some(who) { 0.4 } else { 0.0 };
        game.player(who).ability(game.difficulty(who.team)).balance + ball
    };
    0.5 + 0.25 * (stand(one) - stand(other)).clamp(-1.0, 1.0)
}
