//! Ways to see a pitch wrongly.

use crate::{FrameState, MAX_PLAYERS, Owner, Squad, Team};
use mageyard_domain::Misreading;

use super::distances::{gap, nearest_to};

pub(super) const MISREADINGS: &[Misreading] = &[
    Misreading { name: "sides", summary: "left and right are swapped" },
    Misreading { name: "ball", summary: "the ball is seen at the feet of the nearest other player" },
    Misreading {
        name: "opponent",
        summary: "the opponent nearest to the controlled player is not seen, and the later ones have his numbers",
    },
];

/// The state as it is seen wrongly in this way; `None` if it cannot be.
pub(super) fn misread(state: &FrameState, misreading: &str) -> Option<FrameState> {
    match misreading {
        "sides" => Some(mirrored(state)),
        "ball" => ball_at_another(state),
        "opponent" => without_an_opponent(state),
        _ => None,
    }
}

/// The places and movements with left and right swapped; the teams keep their colours.
fn mirrored(state: &FrameState) -> FrameState {
    // Without negative zeros, which would be another number in facts.
    let flip = |[x, y]: [f64; 2]| [0.0 - x, y];
    let squad = |squad: &Squad| Squad {
        positions: squad.positions.map(flip),
        movements: squad.movements.map(flip),
        ..*squad
    };
    let [x, y, height] = state.ball;
    let [dx, dy, rise] = state.ball_movement;
    FrameState {
        ball: [0.0 - x, y, height],
        ball_movement: [0.0 - dx, dy, rise],
        left: squad(&state.left),
        right: squad(&state.right),
        ..*state
    }
}

/// The ball with the nearest player who does not have it; `None` without one.
fn ball_at_another(state: &FrameState) -> Option<FrameState> {
    let [x, y, _] = state.ball;
    let (team, player) = [Team::Left, Team::Right]
        .into_iter()
        .flat_map(|team| (0..state.squad(team).count).map(move |player| (team, player)))
        .filter(|(team, player)| state.owner != Some(Owner { team: *team, player: *player }))
        .min_by(|one, other| {
            let far = |(team, player): &(Team, usize)| gap(state.squad(*team).positions[*player], [x, y]);
            far(one).total_cmp(&far(other))
        })?;
    let squad = state.squad(team);
    let [x, y] = squad.positions[player];
    let [dx, dy] = squad.movements[player];
    Some(FrameState {
        ball: [x, y, GROUND],
        ball_movement: [dx, dy, 0.0],
        owner: Some(Owner { team, player }),
        ..*state
    })
}

/// The height of the centre of a ball on the ground, in metres.
const GROUND: f64 = 0.11;

/// The state without the nearest opponent; `None` if there is only one.
fn without_an_opponent(state: &FrameState) -> Option<FrameState> {
    let right = &state.right;
    let from = *state.left.positions().get(state.active)?;
    let (missed, _) = nearest_to(from, right.positions()).filter(|_| right.count > 1)?;
    let mut fewer = *right;
    let rest = missed + 1..MAX_PLAYERS;
    fewer.positions.copy_within(rest.clone(), missed);
    fewer.movements.copy_within(rest.clone(), missed);
    fewer.roles.copy_within(rest.clone(), missed);
    fewer.tired.copy_within(rest, missed);
    fewer.count -= 1;
    let owner = match state.owner {
        Some(Owner { team: Team::Right, player }) if player == missed => None,
        Some(Owner { team: Team::Right, player }) if player > missed => {
            Some(Owner { team: Team::Right, player: player - 1 })
        }
        owner => owner,
    };
    Some(FrameState { right: fewer, owner, ..*state })
}
