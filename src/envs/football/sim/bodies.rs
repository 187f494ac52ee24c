//! Bodies are circles that push each other apart.

use super::Game;
use super::sides::side;
use crate::envs::football::Owner;

/// Radius of a body in metres.
const RADIUS: f64 = 0.36;
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
    if away.x.abs() > 2.0 * RADIUS || away.y.abs() > 2.0 * RADIUS {
        return;
    }
    let distance = away.length();
    if distance >= 2.0 * RADIUS || distance < 1e-6 {
        return;
    }
    let normal = away * (1.0 / distance);
    let half = normal * (0.5 * PUSH * (2.0 * RADIUS - distance));
    let closing = (game.player(one).velocity - game.player(other).velocity).dot(normal);
    let brake = normal * (0.5 * 0.2 * closing.max(0.0));
    let players = &mut game.players;
    let first = &mut players[side(one.team)][one.player];
    first.place = first.place - half;
    first.velocity = first.velocity - brake;
    let second = &mut players[side(other.team)][other.player];
    second.place += half;
    second.velocity += brake;
}
