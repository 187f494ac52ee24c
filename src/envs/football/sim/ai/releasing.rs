//! A keeper with the ball in his hands: throws it high to a mate near his own goal line who is free, or to anyone
//! after four seconds.

use super::moment::Moment;
use crate::random::{Purpose, Random};
use crate::sim::command::{Command, Kick, KickRequest, KickTarget};
use crate::sim::pitch::{HALF_LENGTH, HALF_WIDTH};
use crate::sim::vector::Vec2;

/// Metres without an opponent that make a mate free.
const FREE: f64 = 10.0;
/// Seconds after which he no longer waits.
const PATIENCE: f64 = 4.0;

/// What the keeper does with the ball in his hands.
pub(super) fn command(moment: &Moment, keeper: usize, stream: usize, random: &mut Random) -> Command {
    let man = &moment.mates[keeper];
    let y = random.range(Purpose::Decision, stream, -HALF_WIDTH, HALF_WIDTH) * moment.hand;
    let receiver = moment
        .nearest_mates::<2>(Vec2::new(-HALF_LENGTH, y))
        .iter()
        .find(|mate| *mate != keeper)
        .filter(|mate| man.held > PATIENCE || free(moment, *mate));
    let kick = receiver.and_then(|mate| u8::try_from(mate).ok()).map(|mate| KickRequest {
        kind: Kick::High,
        target: KickTarget::Player(mate),
        power: 0.5,
    });
    Command { direction: (-man.place).unit_or(man.heading), kick, ..Command::IDLE }
}

fn free(moment: &Moment, mate: usize) -> bool {
    let place = moment.mates[mate].place;
    moment.rivals().iter().all(|rival| rival.ahead(0.1).distance(place) > FREE)
}
