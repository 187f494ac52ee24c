//! Marking: the three most dangerous opponents get a marker each, who stays goal-side of his man; and the line
//! that the defence holds.

use super::memory::{AiMemory, Sight};
use super::moment::{Moment, Who};
use super::numbers::share;
use crate::MAX_PLAYERS;
use crate::sim::pitch::HALF_LENGTH;
use crate::sim::vector::Vec2;

const OWN_GOAL: Vec2 = Vec2::new(-HALF_LENGTH, 0.0);
/// Opponents who are marked.
const MARKED: usize = 3;
/// Distance from the goal at which an opponent must be met: with the ball, and without.
const MEET_CARRIER: f64 = 24.0;
const MEET_OTHERS: f64 = 8.0;
/// A marker wants to be this much nearer to the point than his man; and at least this far in front of him.
const LEAD: f64 = 4.0;
const CLOSEST: f64 = 0.4;

/// Gives each of the most dangerous opponents the best marker who is left.
pub(super) fn assign(moment: &Moment, memory: &mut AiMemory) {
    let mut marks = [None; MAX_PLAYERS];
    for rival in most_dangerous(moment) {
        let place = moment.rivals[rival].ahead(0.1);
        let marker = (1..moment.mate_count)
            .filter(|mate| marks[*mate].is_none())
            .map(|mate| (quality(moment.mates[mate].ahead(0.1), place), mate))
            .fold(None, |best: Option<(f64, usize)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
        if let Some((_, mate)) = marker {
            marks[mate] = u8::try_from(rival).ok();
        }
    }
    memory.marks = marks;
}

/// The opponents nearest to a point before the goal that leans towards the ball; the man with the ball counts a
/// little more.
fn most_dangerous(moment: &Moment) -> impl Iterator<Item = usize> + use<> {
    let spot = Vec2::new(2.0 - HALF_LENGTH, 0.0).mix(moment.ball_at(0.1).place, 0.2);
    let mut order = [(0.0, 0); MAX_PLAYERS];
    for (index, rival) in moment.rivals().iter().enumerate() {
        let near = 1.0 - share(rival.place.distance(spot), 0.0, 2.0 * HALF_LENGTH);
        let bonus = if index == moment.rival_leader { 0.05 } else { 0.0 };
        order[index] = (near * 0.95 + bonus, index);
    }
    order[..moment.rival_count].sort_by(|one, other| other.0.total_cmp(&one.0));
    let count = moment.rival_count.min(MARKED);
    order.into_iter().take(count).map(|(_, index)| index)
}

/// How well a man at `place` marks an opponent: best if the opponent is 2 m before the line across him.
fn quality(place: Vec2, rival: Vec2) -> f64 {
    let to_goal = OWN_GOAL - place;
    let along = to_goal.unit_or(Vec2::new(-1.0, 0.0));
    let half = to_goal.length().clamp(4.0, 14.0);
    let from = rival - (place - along * 0.5);
    let before = -from.dot(along);
    let aside = from.cross(along).abs();
    let off = if before > 0.0 { (before - 2.0).abs() } else { -before };
    let fit = 1.0 - 0.5 * share(off, 0.0, 60.0).sqrt() - 0.5 * (aside / half).min(1.0).sqrt();
    let fit = fit.max(0.0) * if before > 0.0 { 1.0 } else { 0.6 };
    0.8 * fit + 0.2 * (1.0 - share(place.distance(rival), 0.0, 2.0 * HALF_LENGTH))
}

/// `wanted`, moved goal-side of this opponent with weight `weight`.
pub(super) fn cover(
    moment: &Moment,
    sight: &Sight,
    mate: usize,
    rival: usize,
    wanted: Vec2,
    weight: f64,
    last_line: f64,
) -> Vec2 {
    let opponent = sight.rivals[rival].ahead(0.5);
    let meet = if moment.holder == Who::Rival(rival) { MEET_CARRIER } else { MEET_OTHERS };
    let (point, way) = meeting_point(opponent, meet, last_line);
    let missing = point.distance(wanted) - (way - LEAD);
    let mut place = wanted;
    if missing > 0.0 {
        place += (point - wanted).unit() * missing.min(point.distance(wanted));
    }
    let late = point.distance(moment.mates[mate].ahead(0.14)) - way;
    if late > 0.0 {
        place += (OWN_GOAL - place).unit() * (late * 0.7);
    }
    wanted.mix(place, weight)
}

/// Where an opponent must be met on his way to the goal, not behind the last line, and his way to it.
fn meeting_point(opponent: Vec2, meet: f64, last_line: f64) -> (Vec2, f64) {
    let to_goal = OWN_GOAL - opponent;
    let way = (to_goal.length() - meet).clamp(CLOSEST, HALF_LENGTH);
    let point = opponent + to_goal.unit() * way;
    if point.x >= last_line || to_goal.x.abs() < 1e-6 {
        return (point, way);
    }
    let point = opponent + to_goal * ((last_line - opponent.x) / to_goal.x);
    (point, point.distance(opponent))
}

/// x of the line that the defence holds: 40 m from its goal while the ball is far, falling back before the ball
/// and before the man who has it, down to 6 m; mates who hang back pull it with them.
pub(super) fn last_line(moment: &Moment) -> f64 {
    let ball = -moment.path[0].place.x;
    let mut depth = HALF_LENGTH - 40.0;
    depth = depth.max(ball + 25.0 * (1.0 - share(ball, HALF_LENGTH - 65.0, HALF_LENGTH - 6.0)));
    depth = depth.max(-moment.ball_at(0.7).place.x);
    let rival = &moment.rivals[moment.rival_leader];
    if 4.0 - rival.ahead(0.15).x > depth {
        depth = 4.0 - rival.ahead(0.1).x;
    }
    -depth.max(last_but_one(moment) - 4.0)
}

/// How deep on the own half the last mate but one stands, at least as deep as the ball.
fn last_but_one(moment: &Moment) -> f64 {
    let mut last = f64::NEG_INFINITY;
    let mut second = 0.0_f64;
    for mate in moment.mates() {
        let depth = -mate.place.x;
        if depth > last {
            second = second.max(last);
            last = depth;
        } else {
            second = second.max(depth);
        }
    }
    second.max(-moment.path[0].place.x).clamp(0.0, HALF_LENGTH)
}

/// Holds a place level with the line: what is up to 2 m on either side of it moves to between 2 m before it and
/// the line itself.
pub(super) fn level(place: Vec2, last_line: f64) -> Vec2 {
    let front = last_line + 2.0;
    if place.x >= front {
        return place;
    }
    Vec2::new(front - 2.0 * ((front - place.x) / 4.0).min(1.0), place.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_goal_side_marks_better_than_one_who_has_been_passed() {
        let rival = Vec2::new(-20.0, 0.0);
        assert!(quality(Vec2::new(-23.0, 0.0), rival) > quality(Vec2::new(-17.0, 0.0), rival));
        assert!(quality(Vec2::new(-23.0, 0.0), rival) > quality(Vec2::new(-23.0, 12.0), rival));
    }

    #[test]
    fn a_carrier_far_from_goal_is_met_24_metres_before_it_and_a_near_one_at_once() {
        let (point, way) = meeting_point(Vec2::new(0.0, 0.0), MEET_CARRIER, -50.0);
        assert!((point.x + 31.0).abs() < 1e-9 && (way - 31.0).abs() < 1e-9);
        let (_, way) = meeting_point(Vec2::new(-40.0, 3.0), MEET_CARRIER, -50.0);
        assert!((way - CLOSEST).abs() < 1e-9);
    }

    #[test]
    fn places_behind_the_line_come_up_to_it() {
        assert_eq!(level(Vec2::new(-30.0, 1.0), -25.0), Vec2::new(-25.0, 1.0));
        assert_eq!(level(Vec2::new(-10.0, 1.0), -25.0).x, -10.0);
        assert_eq!(level(Vec2::new(-25.0, 1.0), -25.0).x, -24.0);
    }
}
