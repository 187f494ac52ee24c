//! Whether the way is clear: the test between skipped frames.

use super::lanes::distance;
use super::stop::Stop;
use crate::{FrameState, Team};

/// An opponent nearer than this is in the way, in public units.
const NEAR: f64 = 0.01;
/// How far ahead the edge is tested, in frames.
const EDGE_FRAMES: f64 = 3.0;
/// The lines, in public units.
const EDGE: [f64; 2] = [1.0, 0.42];

/// A point on the pitch and its movement a frame.
type Moving = ([f64; 2], [f64; 2]);

/// What is in the way of the owner, or of the ball if it has none.
pub(super) fn edge(state: &FrameState) -> Option<Stop> {
    let [x, y] = after(subject(state), EDGE_FRAMES);
    (x.abs() >= EDGE[0] || y.abs() >= EDGE[1]).then_some(Stop::Edge)
}

/// Whether an opponent will be near, both moving on as they do, after one of these numbers of frames.
pub(super) fn opponent(state: &FrameState, frames: std::ops::RangeInclusive<u8>) -> Option<Stop> {
    let subject = subject(state);
    let near = |opponent: Moving| {
        frames
            .clone()
            .map(f64::from)
            .any(|ahead| distance(after(subject, ahead), after(opponent, ahead)) < NEAR)
    };
    opponents(state).any(near).then_some(Stop::OpponentNear)
}

/// The owner, looked up in his own team.
fn subject(state: &FrameState) -> Moving {
    let owner = state.owner.and_then(|owner| {
        let squad = state.squad(owner.team);
        Some((*squad.positions.get(owner.player)?, *squad.movements.get(owner.player)?))
    });
    owner.unwrap_or(([state.ball[0], state.ball[1]], [state.ball_movement[0], state.ball_movement[1]]))
}

fn opponents(state: &FrameState) -> impl Iterator<Item = Moving> {
    let squad = state.squad(state.owning_team().unwrap_or(Team::Left).other());
    let movements = squad.movements.iter().copied();
    squad.positions().iter().copied().zip(movements)
}

fn after((position, movement): Moving, frames: f64) -> [f64; 2] {
    [0, 1].map(|axis| position[axis] + frames * movement[axis])
}
