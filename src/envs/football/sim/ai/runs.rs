//! Runs behind the opponents' line: tried twice a second while the ball is ours, four seconds long.

use super::memory::AiMemory;
use super::moment::Moment;
use super::numbers::{bend, share};
use crate::sim::vector::Vec2;

/// Ticks of a run.
const RUN: u32 = 400;

/// Sends the man nearest to a place 26 m ahead of the ball, if the way before him is free enough.
pub(super) fn start(moment: &Moment, memory: &mut AiMemory) {
    if memory.run.is_some_and(|(_, until)| until > moment.tick) || !moment.first_at_ball() {
        return;
    }
    let leader = moment.mates[moment.leader].place;
    let runner =
        moment.nearest_mates::<3>(leader + Vec2::new(26.0, 0.0)).iter().find(|mate| *mate != moment.leader);
    if let Some(runner) = runner.filter(|runner| promises(moment, moment.mates[*runner].place, leader)) {
        memory.run = u8::try_from(runner).ok().map(|runner| (runner, moment.tick + RUN));
    }
}

/// Near enough to be found by a pass, and few opponents around.
fn promises(moment: &Moment, runner: Vec2, leader: Vec2) -> bool {
    let near = (1.0 - share(runner.distance(leader), 0.0, 40.0)).sqrt();
    let spot = Vec2::new(runner.x - 10.0, runner.y * 0.8);
    let crowd: f64 = moment
        .nearest_rivals::<4>(spot)
        .iter()
        .map(|rival| bend(1.0 - share(moment.rivals[rival].place.distance(spot), 0.0, 15.0), 1.0).sqrt())
        .sum();
    near * (1.0 - 0.3 * crowd) >= 0.5
}

/// The mate just ahead of the carrier offers himself.
pub(super) fn choose_supporter(moment: &Moment, memory: &mut AiMemory) {
    let place = moment.mates[moment.leader].place + Vec2::new(1.5, 0.0);
    memory.supporter = moment
        .nearest_mates::<2>(place)
        .iter()
        .find(|mate| *mate != moment.leader)
        .and_then(|mate| u8::try_from(mate).ok());
}
