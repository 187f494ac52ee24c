//! How fast a player runs to his place: fast when it is far, less when the action is far and his role is not
//! wanted, and not for ever.

use super::memory::AiMemory;
use super::moment::Moment;
use super::numbers::{between, share};
use super::roles::mindset;
use crate::sim::command::Gait;

const SPRINT: f64 = 8.0;
/// Metres per second for each metre of the way.
pub(super) const PER_METRE: f64 = 2.6;
/// How willing the players are to work, 0 to 1.
const WORK_RATE: f64 = 0.7;

/// The speed of a nominal gait for a wanted speed.
pub(super) fn gait(speed: f64) -> f64 {
    Gait::of(speed).speed()
}

/// The speed for a way of this many metres to a place of the formation.
pub(super) fn speed(moment: &Moment, memory: &AiMemory, mate: usize, mood: f64, way: f64) -> f64 {
    let man = &moment.mates[mate];
    let wanted = way * PER_METRE;
    let capped = if wanted > SPRINT { SPRINT + (wanted - SPRINT) * 0.1 } else { wanted };
    let action = man.place.distance(moment.rivals[moment.rival_leader].place);
    let far = share(action, 20.0 * (man.freshness * 0.8 + 0.2), 65.0 * (man.freshness * 0.5 + 0.5));
    let offensive = mindset(memory.role(moment, mate));
    let idle = offensive + (mood - 0.5).clamp(0.0, 1.0) * (1.0 - 2.0 * offensive);
    let lazy = far * (0.5 + idle * 0.5);
    let mut speed = capped * (1.0 - lazy);
    if wanted >= Gait::Dribble.speed() {
        speed = speed.max(Gait::Dribble.speed());
    }
    speed.min(SPRINT * between(1.0, breath(moment, memory, mate), lazy)).clamp(0.0, SPRINT)
}

/// What is left after the runs of the last 10 s, 0 to 1.
fn breath(moment: &Moment, memory: &AiMemory, mate: usize) -> f64 {
    let rested = 1.0 - share(memory.pace(mate), 0.0, SPRINT);
    let work = WORK_RATE * (0.3 + 0.7 * moment.difficulty);
    (libm::pow(rested, 0.8 - 0.2 * work) * 1.2).min(1.0)
}
