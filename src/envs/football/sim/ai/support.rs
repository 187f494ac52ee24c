//! Attack without the ball: a force field of the own slot, the carrier, the mates, the opponents with the shadows
//! that they throw on passes, and the ball's path.

use super::field::{Fading, Field};
use super::memory::Sight;
use super::moment::Moment;
use super::numbers::{bend, share};
use super::roles::mindset;
use crate::PlayerRole;
use crate::sim::pitch::{HALF_LENGTH, HALF_WIDTH};
use crate::sim::vector::Vec2;

/// Power of the own slot; at its place three tenths of it.
const SLOT: f64 = 0.7;
/// Power with which the carrier attracts within 21 m and repels within 12 m.
const CARRIER: f64 = 0.45;
/// Power with which mates keep apart within 10.5 m.
const MATES: f64 = 0.4;
/// Power with which opponents repel, times the factor of the role.
const OPPONENTS: f64 = 0.3;
/// The two moods from which mates keep apart, and clear the ball's path.
const SPREAD_MOOD: f64 = 1.02;
const CLEAR_MOOD: f64 = 1.06;

/// What the field of one player depends on besides the moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) mate: usize,
    /// The role of the slot that he fills.
    pub(super) role: PlayerRole,
    pub(super) slot: Vec2,
    pub(super) runs: bool,
    /// He offers himself ahead of the carrier.
    pub(super) supports: bool,
}

/// Where a player goes to help the attack.
pub(super) fn place(moment: &Moment, sight: &Sight, mood: f64, task: &Task) -> Vec2 {
    let at = moment.mates[task.mate].ahead(0.1);
    let leader = moment.mates[moment.leader].ahead(0.1);
    let mut field = Field::at(at, 7.0);
    own_slot(&mut field, at, leader, task, moment.hand);
    if task.runs {
        field.attract(Vec2::new(HALF_LENGTH, at.y * 0.5), 2.0, Fading::None);
    }
    opponents(&mut field, moment, sight, leader, task);
    if mood >= SPREAD_MOOD {
        mates(&mut field, moment, at, task.mate);
    }
    if task.mate != moment.leader {
        if mood >= CLEAR_MOOD {
            path(&mut field, sight);
        }
        field.attract(leader, CARRIER, Fading::Within { reach: 21.0, exponent: 1.0 });
        field.repel(leader, CARRIER, Fading::Within { reach: 12.0, exponent: 1.0 });
    }
    let wanted = at + field.velocity();
    let line = offside_line(moment, sight) - 0.08;
    Vec2::new(wanted.x.min(line).clamp(-HALF_LENGTH, HALF_LENGTH), wanted.y.clamp(-HALF_WIDTH, HALF_WIDTH))
}

/// The slot, shifted forward: 4 to 12 m for the man who supports, else the more the role attacks and the nearer
/// the player is to the lane beside the carrier.
fn own_slot(field: &mut Field, at: Vec2, leader: Vec2, task: &Task, hand: f64) {
    let offensive = mindset(task.role);
    let forward = if task.supports {
        (0.3 + 0.7 * offensive) * 12.0
    } else {
        let lane = if leader.y * hand > 0.0 { -8.0 } else { 8.0 } * hand;
        let near = bend(1.0 - share((lane - at.y).abs(), 0.0, 30.0), 1.0);
        offensive * offensive.sqrt() * 22.0 * near
    };
    let place = task.slot + Vec2::new(forward, 0.0);
    let power = SLOT * (0.3 + 0.7 * share(place.distance(at), 0.0, 20.0));
    field.attract(place, power, Fading::None);
}

/// The nearest opponents repel from 2 m behind them, where no pass arrives; a runner minds them less.
fn opponents(field: &mut Field, moment: &Moment, sight: &Sight, leader: Vec2, task: &Task) {
    let power = OPPONENTS * shyness(task.role) * if task.runs { 0.5 } else { 1.0 };
    let reach = if task.runs { 2.0 } else { 5.0 };
    let near = leader * 0.3 + moment.mates[task.mate].ahead(0.1) + Vec2::new(0.7, 0.7 * moment.hand);
    for rival in moment.nearest_rivals::<3>(near).iter() {
        let place = sight.rivals[rival].ahead(0.1);
        let shadow = place + (place - leader).unit() * 2.0;
        field.repel(shadow, power, Fading::Within { reach, exponent: 0.7 });
    }
}

/// How much a role keeps away from opponents.
fn shyness(role: PlayerRole) -> f64 {
    match role {
        PlayerRole::Cb | PlayerRole::Lb | PlayerRole::Rb => 2.2,
        PlayerRole::Dm => 2.0,
        PlayerRole::Cm | PlayerRole::Lm | PlayerRole::Rm => 1.6,
        PlayerRole::Am => 1.2,
        PlayerRole::Cf | PlayerRole::Gk => 1.0,
    }
}

fn mates(field: &mut Field, moment: &Moment, at: Vec2, own: usize) {
    for mate in moment.nearest_mates::<6>(at).iter().filter(|mate| *mate != own) {
        field.repel(moment.mates[mate].ahead(0.1), MATES, Fading::Within { reach: 10.5, exponent: 1.0 });
    }
}

/// Keeps out of the ball's way over the next 0.65 s.
fn path(field: &mut Field, sight: &Sight) {
    for seconds in [0.2, 0.35, 0.5, 0.65] {
        let place = super::moment::along(&sight.path, seconds).place;
        field.repel(place, 1.0, Fading::Within { reach: 2.0, exponent: 0.5 });
    }
}

/// x of the last opponent but one in a quarter of a second, at least the ball's and the half line's.
fn offside_line(moment: &Moment, sight: &Sight) -> f64 {
    let mut last = f64::NEG_INFINITY;
    let mut second = 0.0_f64;
    for rival in &sight.rivals[..moment.rival_count] {
        let x = rival.ahead(0.24).x;
        if x > last {
            second = second.max(last);
            last = x;
        } else {
            second = second.max(x);
        }
    }
    second.max(sight.path[0].place.x).clamp(0.0, HALF_LENGTH)
}
