//! Moments of matches: the simulator's AI plays both teams of an arranged scene, at any difficulty, and a moment in which
//! the left team has the ball in the zone becomes a scene. All players stand at its start, as in every scene, and the
//! carrier is set apart from the ball.

use super::arranged;
use super::draw::Draw;
use crate::scene::place;
use crate::scene::place::Metres;
use crate::scene::zone::{Kind, Zone};
use crate::sim::{Game, Setup};
use crate::{EngineAction, FrameState, GameMode, Owner, Placed, Scene, Squad, Team};

/// The frames before the first moment: the teams have left their arrangement.
const WARM_UP: usize = 25;
/// The frames of a match.
const MOST: usize = 150;

/// A moment with the ball of the left team in this zone; none if this match has none.
pub(super) fn scene(name: &str, zone: Zone, draw: &mut Draw) -> Option<Scene> {
    let start = arranged::scene(name, zone, Kind::Teamwork, draw);
    let difficulty = [draw.between(0.3, 1.0), draw.between(0.0, 1.0)];
    let (mut game, moment) =
        (Game::new(&start, Setup { seed: draw.bits(), difficulty }), WARM_UP + draw.below(MOST / 2));
    for frame in 0..MOST {
        game.frame(EngineAction::BuiltinAi);
        let state = game.state();
        if state.mode != GameMode::Normal || state.score != [0, 0] {
            return None;
        }
        if frame >= moment && is_moment(&state, zone) {
            return Some(of_state(name, &state, draw));
        }
    }
    None
}

/// A field player of the left team has the ball in the zone.
fn is_moment(state: &FrameState, zone: Zone) -> bool {
    let has_ball = matches!(state.owner, Some(Owner { team: Team::Left, player }) if player > 0);
    has_ball && Zone::of([state.ball[0], state.ball[1]]) == zone
}

fn of_state(name: &str, state: &FrameState, draw: &mut Draw) -> Scene {
    let public = |[x, y]: [f64; 2]| [x * 54.4, y * 83.6];
    let ball = public([state.ball[0], state.ball[1]]);
    let carrier = state.owner.map(|owner| owner.player);
    let players = |team: Team, squad: &Squad, draw: &mut Draw| {
        let mut placed = Vec::new();
        for (slot, place) in squad.positions().iter().enumerate() {
            let is_carrier = team == Team::Left && Some(slot) == carrier;
            let place: Metres = if is_carrier { arranged::beside(ball, draw) } else { public(*place) };
            placed.push(Placed::at(place, team, squad.roles[slot]));
        }
        placed
    };
    Scene {
        name: name.to_owned(),
        ball: place::ball_at(ball),
        left: players(Team::Left, &state.left, draw),
        right: players(Team::Right, &state.right, draw),
    }
}
