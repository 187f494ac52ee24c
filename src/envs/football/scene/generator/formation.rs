//! Formations, and where their players stand while the ball is somewhere: a block that follows the ball, with the last line
//! kept away from the own goal and everybody on the pitch.

use super::draw::Draw;
use crate::PlayerRole;
use crate::scene::place::{HALF, Metres};

use PlayerRole::{Am, Cb, Cf, Cm, Dm, Gk, Lb, Lm, Rb, Rm};

/// The ten field players of a formation: role, depth from −1 (last line) to 1, side from −1 (left) to 1.
type Formation = [(PlayerRole, f64, f64); 10];

/// The usual formations.
const FORMATIONS: [Formation; 4] = [
    [
        (Cb, -1.0, -0.25),
        (Cb, -1.0, 0.25),
        (Lb, -0.85, -0.75),
        (Rb, -0.85, 0.75),
        (Cm, -0.1, -0.25),
        (Cm, -0.1, 0.25),
        (Lm, 0.1, -0.8),
        (Rm, 0.1, 0.8),
        (Cf, 0.9, -0.2),
        (Cf, 0.9, 0.2),
    ],
    [
        (Cb, -1.0, -0.25),
        (Cb, -1.0, 0.25),
        (Lb, -0.8, -0.8),
        (Rb, -0.8, 0.8),
        (Dm, -0.3, 0.0),
        (Cm, 0.1, -0.35),
        (Cm, 0.1, 0.35),
        (Lm, 0.8, -0.75),
        (Rm, 0.8, 0.75),
        (Cf, 1.0, 0.0),
    ],
    [
        (Cb, -1.0, -0.25),
        (Cb, -1.0, 0.25),
        (Lb, -0.8, -0.8),
        (Rb, -0.8, 0.8),
        (Dm, -0.35, -0.25),
        (Dm, -0.35, 0.25),
        (Lm, 0.4, -0.75),
        (Am, 0.45, 0.0),
        (Rm, 0.4, 0.75),
        (Cf, 1.0, 0.0),
    ],
    [
        (Cb, -1.0, -0.45),
        (Cb, -1.0, 0.0),
        (Cb, -1.0, 0.45),
        (Dm, -0.35, 0.0),
        (Lm, 0.0, -0.9),
        (Cm, 0.0, -0.3),
        (Cm, 0.0, 0.3),
        (Rm, 0.0, 0.9),
        (Cf, 0.9, -0.25),
        (Cf, 0.9, 0.25),
    ],
];

/// Half the depth and half the width of the block in metres.
const BLOCK: [f64; 2] = [20.0, 28.0];
/// The last line's distance from its goal in metres.
const LAST_LINE: [f64; 2] = [7.0, 45.0];
/// How irregular a player stands, in metres.
const SPREAD: [f64; 2] = [3.0, 2.5];

/// A team in its own frame (own goal at the left, metres, y down), the keeper first.
pub(super) fn stand(ball: Metres, ahead: f64, draw: &mut Draw) -> Vec<(PlayerRole, Metres)> {
    let formation = &FORMATIONS[draw.below(FORMATIONS.len())];
    let last = -HALF[0] + LAST_LINE[0]..=-HALF[0] + LAST_LINE[1];
    let middle = (ball[0] + ahead).clamp(last.start() + BLOCK[0], last.end() + BLOCK[0]);
    let mut team = vec![(Gk, keeper(ball, draw))];
    for (role, depth, side) in formation {
        let x = middle + depth * BLOCK[0] + draw.around(SPREAD[0]);
        let y = ball[1] * 0.35 + side * BLOCK[1] + draw.around(SPREAD[1]);
        team.push((*role, [x.clamp(-HALF[0] + 2.0, HALF[0] - 2.0), y.clamp(-HALF[1] + 1.5, HALF[1] - 1.5)]));
    }
    team
}

/// Further out of his goal the farther the ball is.
fn keeper(ball: Metres, draw: &mut Draw) -> Metres {
    let away = (ball[0] + HALF[0]).max(0.0);
    let out = (1.0 + away * 0.12).min(10.0) + draw.between(0.0, 1.0);
    [-HALF[0] + out, (ball[1] * 0.1).clamp(-3.0, 3.0) + draw.between(-0.5, 0.5)]
}
