//! The keeper without the ball in his hands: he halves the goal as the ball sees it, comes out to a man whom no
//! mate can stop, and runs to the line of a shot.

use super::memory::Sight;
use super::moment::{Man, Moment, Spot, along};
use super::numbers::share;
use crate::sim::pitch::{GOAL_HALF_WIDTH, GOAL_HEIGHT, HALF_LENGTH};
use crate::sim::vector::Vec2;

const GOAL: Vec2 = Vec2::new(-HALF_LENGTH, 0.0);
/// Metres before the goal while the ball is on the other half.
const FAR_OUT: f64 = 10.0;
/// Metres before the goal line at least.
const LINE: f64 = 0.7;
/// Shots from within this many metres make him run.
const ALERT: f64 = 32.0;
/// Metres from which an opponent with the ball, and his helper, can shoot.
const SHOT: f64 = 20.0;
const HELPER_SHOT: f64 = 24.0;
const SPRINT: f64 = 8.0;
const WALK: f64 = 5.0;

/// Where he runs, and how fast at most in metres per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    pub(super) place: Vec2,
    pub(super) speed: f64,
}

/// Where a ball that is on its way to the goal, widened by a keeper's doubt, crosses its line: y in metres.
pub(super) fn shot_crossing(moment: &Moment, sight: &Sight, keeper: &Man) -> Option<f64> {
    let path = &sight.path;
    let arrives = path[path.len() - 1].place.x < -HALF_LENGTH;
    if !arrives || keeper.place.distance(along(path, 0.25).place) > ALERT {
        return None;
    }
    let from = path[0].place;
    let to = along(path, 0.8).place;
    let way = to - from;
    if way.x > -1e-6 {
        return None;
    }
    let y = from.y + way.y * ((-HALF_LENGTH - from.x) / way.x);
    let doubt = 1.02 + 0.5 * (1.0 - 0.6 * (0.3 + 0.7 * moment.difficulty));
    (y.abs() <= GOAL_HALF_WIDTH * doubt).then_some(y)
}

/// Where he stands or runs.
pub(super) fn post(moment: &Moment, sight: &Sight, mate: usize, mood: f64) -> Post {
    let keeper = &moment.mates[mate];
    let ball = along(&sight.path, 0.6 + keeper.time_to_ball.min(5.0) * 0.2);
    if ball.place.x >= 0.0 {
        return Post { place: Vec2::new(FAR_OUT - HALF_LENGTH, 0.0), speed: SPRINT };
    }
    match shot_crossing(moment, sight, keeper) {
        Some(y) => Post { place: on_the_line(sight, keeper, y), speed: SPRINT },
        None => halving(moment, keeper, ball, mood),
    }
}

/// The point of the ball's way to the goal that is nearest to him; the goal itself if the ball passes over him.
fn on_the_line(sight: &Sight, keeper: &Man, y: f64) -> Vec2 {
    let from = along(&sight.path, 0.01).place;
    let crossing = Vec2::new(-HALF_LENGTH, y);
    let to = crossing + (from - crossing).unit() * 0.4;
    let way = to - from;
    let length = way.dot(way).max(1e-9);
    let share = (keeper.ahead(0.05) - from).dot(way) / length;
    let second = (along(&sight.path, 1.0).place - from).dot(way) / length;
    if second > 1e-4 && along(&sight.path, share / second).height > GOAL_HEIGHT {
        return crossing;
    }
    let place = from + way * share.clamp(0.0, 1.0);
    Vec2::new(place.x.max(0.2 - HALF_LENGTH), place.y)
}

fn halving(moment: &Moment, keeper: &Man, ball: Spot, mood: f64) -> Post {
    let base = base_point(ball.place);
    let (from, bias) =
        if mood < 1.0 { coming_out(moment, ball.place) } else { (ball.place, 0.3 * share(mood, 1.0, 1.5)) };
    let way = from - base;
    let out = ((way.length() - 0.5).max(0.0) * bias).clamp(LINE, HALF_LENGTH);
    let place = base + way.unit() * out;
    let returns = GOAL.distance(place) < GOAL.distance(keeper.place);
    let beside = way.unit().cross(keeper.place - base).abs();
    let place = Vec2::new(place.x.clamp(0.2 - HALF_LENGTH, HALF_LENGTH), place.y);
    Post { place, speed: if returns && beside < 1.0 { WALK } else { SPRINT } }
}

/// Where the line that halves the goal, seen from the ball, meets the line 0.7 m before it.
fn base_point(ball: Vec2) -> Vec2 {
    let left = (Vec2::new(-HALF_LENGTH, GOAL_HALF_WIDTH) - ball).unit();
    let right = (Vec2::new(-HALF_LENGTH, -GOAL_HALF_WIDTH) - ball).unit();
    let middle = left + right;
    let x = LINE - HALF_LENGTH;
    let share = if middle.x < -1e-6 { (x - ball.x) / middle.x } else { 0.0 };
    Vec2::new(x, (ball.y + middle.y * share).clamp(-GOAL_HALF_WIDTH, GOAL_HALF_WIDTH))
}

/// From where he halves the goal while the others attack, and how far he comes out, 0 to 1.
fn coming_out(moment: &Moment, ball: Vec2) -> (Vec2, f64) {
    let carrier = &moment.rivals[moment.rival_leader];
    let place = carrier.ahead(0.32);
    let from = place.mix(ball, if carrier.possession { 0.6 } else { 0.4 });
    let (point, way) = shooting_point(place, SHOT);
    if nearest_mate(moment, point) <= way + 1.0 {
        return (from, 0.0);
    }
    (from, 1.0 - helper_threat(moment, way))
}

/// How much the best helper of the carrier keeps him in, 0 to 1.
fn helper_threat(moment: &Moment, carrier_way: f64) -> f64 {
    let helper = moment.nearest_rivals::<2>(GOAL).iter().find(|rival| *rival != moment.rival_leader);
    let Some(helper) = helper else { return 0.0 };
    let (point, way) = shooting_point(moment.rivals[helper].ahead(0.32), HELPER_SHOT);
    let free = share(nearest_mate(moment, point) - way, 0.0, 2.0);
    let closer = 0.7 * (1.0 - share(way / (carrier_way + 1e-4), 1.0, 1.5));
    free * closer
}

/// Where an opponent on his way to the goal can shoot, and his way there.
fn shooting_point(place: Vec2, range: f64) -> (Vec2, f64) {
    let to_goal = GOAL - place;
    let distance = to_goal.length();
    let way = (distance - range * share(distance, 0.0, range * 2.0)).clamp(0.0, HALF_LENGTH);
    (place + to_goal.unit() * way, way)
}

/// Distance of the nearest field player from a place.
fn nearest_mate(moment: &Moment, place: Vec2) -> f64 {
    let distances = moment.mates().iter().skip(1).map(|mate| mate.ahead(0.24).distance(place));
    distances.fold(f64::INFINITY, f64::min)
}
