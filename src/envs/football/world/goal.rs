//! What the frame of a goal shows. The engine's state of that frame has all players at their places and the ball at the
//! centre again; people see the frame before it, with the ball behind the line and the new score. Text, facts and
//! rewards have the engine's state.

use crate::{FrameState, Team};

/// The goal line in public units, and how far behind it the ball is shown.
const LINE: f64 = 1.011;
const BEHIND: f64 = 0.02;
/// Inside of the posts, in public units.
const POST: f64 = 0.042;
/// Below the bar, and on the ground, in metres.
const BAR: f64 = 2.4;
const GROUND: f64 = 0.11;
/// The most frames that the ball is followed to the line.
const FLIGHT: f64 = 2.0;

/// The team that scored between two frames.
pub(super) fn scorer(before: &FrameState, after: &FrameState) -> Option<Team> {
    if after.score[0] > before.score[0] {
        return Some(Team::Left);
    }
    (after.score[1] > before.score[1]).then_some(Team::Right)
}

/// The state that the picture of a frame shows: the state after it, except for a goal.
pub(super) fn shown(before: &FrameState, after: &FrameState) -> FrameState {
    match scorer(before, after) {
        None => *after,
        Some(team) => FrameState {
            ball: behind_the_line(before, team),
            owner: None,
            score: after.score,
            steps_left: after.steps_left,
            ..*before
        },
    }
}

/// Where the way of the ball crosses the line, a little behind it.
fn behind_the_line(before: &FrameState, scorer: Team) -> [f64; 3] {
    let side = if scorer == Team::Left { 1.0 } else { -1.0 };
    let [x, y, height] = before.ball;
    let [dx, dy, rise] = before.ball_movement;
    let left = (side * LINE - x) / dx;
    let frames = if left.is_finite() { left.clamp(0.0, FLIGHT) } else { 0.0 };
    let y = (y + frames * dy).clamp(-POST, POST);
    [side * (LINE + BEHIND), y, (height + frames * rise).clamp(GROUND, BAR)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameMode, Owner, Squad, Sticky};

    fn state(ball: [f64; 3], ball_movement: [f64; 3], score: [u32; 2]) -> FrameState {
        FrameState {
            ball,
            ball_movement,
            ball_rotation: [0.0; 3],
            owner: Some(Owner { team: Team::Left, player: 1 }),
            active: 1,
            mode: GameMode::Normal,
            score,
            sticky: Sticky::default(),
            left: Squad { count: 2, positions: [[ball[0] - 0.01, ball[1]]; 11], ..Squad::EMPTY },
            right: Squad { count: 1, ..Squad::EMPTY },
            steps_left: if score == [0, 0] { 300 } else { 299 },
        }
    }

    #[test]
    fn a_goal_is_shown_behind_the_line_where_the_ball_crosses_it() {
        let before = state([0.99, 0.02, 0.5], [0.042, 0.01, 0.2], [0, 0]);
        let after = FrameState { left: Squad::EMPTY, ..state([0.0, 0.0, 0.11], [0.0; 3], [1, 0]) };
        let seen = shown(&before, &after);
        assert_eq!((seen.ball[0], seen.score, seen.owner), (1.031, [1, 0], None));
        assert!((seen.ball[1] - 0.025).abs() < 1e-9 && (seen.ball[2] - 0.6).abs() < 1e-9, "{:?}", seen.ball);
        assert_eq!((seen.left, seen.steps_left), (before.left, 299));
    }

    #[test]
    fn a_goal_of_the_opponents_is_shown_in_the_left_goal_whatever_the_ball_did_before() {
        for movement in [[0.0; 3], [0.3, 0.2, 1.0], [-0.001, 0.5, 9.0]] {
            let before = state([-0.9, 0.3, 0.11], movement, [0, 0]);
            let seen = shown(&before, &state([0.0; 3], [0.0; 3], [0, 1]));
            assert_eq!(seen.ball[0], -1.031);
            assert!(seen.ball[1].abs() <= POST && (GROUND..=BAR).contains(&seen.ball[2]), "{:?}", seen.ball);
        }
    }

    #[test]
    fn other_frames_are_shown_as_they_are() {
        let before = state([0.1, 0.0, 0.11], [0.01, 0.0, 0.0], [0, 0]);
        let after = FrameState { mode: GameMode::ThrowIn, ..state([0.2, 0.43, 0.11], [0.0; 3], [0, 0]) };
        assert_eq!((shown(&before, &after), scorer(&before, &after)), (after, None));
    }
}
