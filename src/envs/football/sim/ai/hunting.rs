//! Hunting: the two men nearest to the carrier go for the ball if he is within their range. At difficulty 0 the
//! range is 2 to 6 m, which is why a weak team waits.

use super::memory::{AiMemory, Sight};
use super::moment::{Moment, Who};
use super::numbers::share;
use super::roles::mindset;
use crate::sim::pitch::HALF_LENGTH;
use crate::sim::vector::Vec2;

const OWN_GOAL: Vec2 = Vec2::new(-HALF_LENGTH, 0.0);

/// Whether this mate leaves his place and goes for the ball.
pub(super) fn hunts(moment: &Moment, memory: &AiMemory, sight: &Sight, mate: usize) -> bool {
    let man = &moment.mates[mate];
    let carrier = &moment.rivals[moment.rival_leader];
    let way = carrier.ahead(0.12).distance(man.ahead(0.04));
    if moment.holder == Who::Mate(mate)
        || moment.first_at_ball()
        || memory.marks[mate].is_some()
        || way >= range(moment, memory, mate)
    {
        return false;
    }
    let duel = (moment.times[1] + 0.2) / (man.time_to_ball + 0.2);
    if mate == moment.leader && duel > 0.8 {
        return true;
    }
    let nearest = moment.nearest_mates::<2>(carrier.ahead(0.1));
    nearest.has(mate) && must_move(man.place, meeting(man.place, sight, moment.rival_leader))
}

/// Metres within which he goes for the carrier: 10 for a forward, 20 for a back, less when he is tired or has run
/// much, and three tenths of it at difficulty 0.
fn range(moment: &Moment, memory: &AiMemory, mate: usize) -> f64 {
    let man = &moment.mates[mate];
    let fitness = 0.5 * man.freshness + 0.5 * (1.0 - share(memory.pace(mate), 0.0, 8.0));
    (10.0 + 10.0 * (1.0 - mindset(memory.role(moment, mate)))) * fitness * (0.3 + 0.7 * moment.difficulty)
}

/// The point on the carrier's way to goal that is as far from him as from the hunter, a little ahead.
fn meeting(man: Vec2, sight: &Sight, rival: usize) -> Vec2 {
    let carrier = sight.rivals[rival];
    let to_goal = OWN_GOAL - carrier.place;
    let between = man - carrier.place;
    let along = between.dot(to_goal);
    let share = if along.abs() < 1e-6 { 1.0 } else { between.dot(between) / (2.0 * along) };
    // A point behind the carrier is the carrier himself.
    carrier.place + to_goal * share.clamp(0.0, 1.0) + to_goal.unit() * 0.8 + carrier.velocity * 0.14
}

/// A hunter whom the carrier comes straight towards waits for him.
fn must_move(man: Vec2, target: Vec2) -> bool {
    let ahead = (target.x - man.x).max(0.0) - 0.5;
    (target.y - man.y).abs() > ahead * 0.8
}
