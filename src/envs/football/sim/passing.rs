//! Passes: whom a held direction means, how far he is led, how hard the ball is kicked.

use super::Game;
use super::command::{Kick, KickTarget};
use super::pitch::HALF_LENGTH;
use super::sides::{attack, side};
use super::vector::Vec2;
use crate::Owner;

/// A pass: the place aimed at, and who shall get it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aimed {
    pub(super) place: Vec2,
    pub(super) receiver: Option<u8>,
}

/// A long pass is aimed this much farther than its receiver stands, and its power is as much higher.
const LONGER: f64 = 1.2;
/// 1.2^1.4.
const LONGER_POWER: f64 = 1.291;

/// How far ahead the aim of an automatic pass lies, metres.
fn aim_distance(kind: Kick) -> f64 {
    60.0 * match kind {
        Kick::Long => 0.13,
        Kick::High | Kick::Clear => 0.18,
        Kick::Short | Kick::Shot => 0.11,
    }
}

/// The place and the receiver of a pass from the ball's place.
pub(super) fn aim(game: &Game, who: Owner, kind: Kick, target: KickTarget) -> Aimed {
    match target {
        KickTarget::Place(place) => Aimed { place, receiver: None },
        KickTarget::Player(mate) => led(game, who, kind, mate),
        KickTarget::Aim(direction) => {
            let input = direction.unit_or(game.player(who).facing);
            match receiver(game, who, kind, input) {
                Some(mate) => led(game, who, kind, mate),
                None => Aimed { place: game.ball.place + input * 25.0, receiver: None },
            }
        }
    }
}

/// The mate whom a direction means: the distance from the aim counts little, the angle much.
fn receiver(game: &Game, who: Owner, kind: Kick, input: Vec2) -> Option<u8> {
    let from = game.player(who).place;
    let aim = from + input * aim_distance(kind);
    let mut best = None;
    let mut least = f64::MAX;
    for mate in 0..game.counts[side(who.team)] {
        let player = game.player(Owner { team: who.team, player: mate });
        let place = player.place + player.velocity * lead(player.place.distance(from));
        let angle = input.angle_to(place - from).abs() / std::f64::consts::PI;
        let near = 0.8 * libm::pow((place.distance(aim) / 70.0).clamp(0.0, 1.0), 0.8);
        if mate != who.player && near + angle < least {
            (best, least) = (u8::try_from(mate).ok(), near + angle);
        }
    }
    best
}

/// Seconds of his run by which a mate at this distance is led.
fn lead(distance: f64) -> f64 {
    0.7 * libm::pow((0.3 + 0.05 * distance).clamp(0.0, 1.0), 0.7)
}

/// The place ahead of a running mate; a long pass is aimed a fifth of its way farther towards the goal.
fn led(game: &Game, who: Owner, kind: Kick, mate: u8) -> Aimed {
    let player = game.player(Owner { team: who.team, player: usize::from(mate) });
    let distance = player.place.distance(game.ball.place);
    let place = player.place + player.velocity * lead(distance);
    let goal = Vec2::new(HALF_LENGTH * attack(who.team), 0.0);
    let ahead =
        if kind == Kick::Long { (goal - place).unit() * ((LONGER - 1.0) * distance) } else { Vec2::ZERO };
    Aimed { place: place + ahead, receiver: Some(mate) }
}

/// The same of a keeper's throw from his hands: a lob, from recorded throws over 5 and 22 m.
pub(super) fn throw(distance: f64) -> (f64, f64) {
    let distance = distance.min(40.0);
    let speed = 4.4 + 0.58 * distance;
    (speed, (5.4 + 0.07 * distance) / speed)
}

/// Horizontal speed in m/s and upward slope of a pass over this distance in metres. The engine weakens long
/// passes; the term that does so was fitted to recordings (standing mates at 3 to 48 m).
pub(super) fn strength(kind: Kick, distance: f64) -> (f64, f64) {
    let share = (distance / 60.0).clamp(0.0, 0.87);
    let curve = |share: f64| libm::pow(share * (1.0 - 0.885 * share), 1.4);
    match kind {
        Kick::Short | Kick::Shot => (36.0 * (1.8 * curve(share) + 0.3), 0.11),
        Kick::Long => (36.0 * (1.8 * LONGER_POWER * curve(share / LONGER) + 0.3), 0.11),
        Kick::High => (36.0 * (1.15 * curve(share) + 0.3), 0.45 - 0.15 * share),
        Kick::Clear => (28.0, 0.5),
    }
}
