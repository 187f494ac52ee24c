//! Places of a scene in metres, and the pitch as far as scenes need it. Metres here have x to the right and y **down**,
//! as a picture has them, for both teams.

use super::{Placed, Scene};
use crate::Team;

/// Metres of a scene's unit along and across the pitch.
const PLACED: [f64; 2] = [55.0, 84.96];
/// Metres of a public unit along and across the pitch.
const PUBLIC: [f64; 2] = [54.4, 83.6];
/// Metres from the centre to the lines.
pub(super) const HALF: [f64; 2] = [55.0, 36.0];

/// A place in metres.
pub(super) type Metres = [f64; 2];

impl Placed {
    /// Where a player of this team stands.
    pub(super) fn metres(&self, team: Team) -> Metres {
        let sign = match team {
            Team::Left => 1.0,
            Team::Right => -1.0,
        };
        [sign * self.x * PLACED[0], sign * self.y * PLACED[1]]
    }

    /// The player of this team at a place, in four decimals as scene files have them.
    pub(super) fn at(place: Metres, team: Team, role: crate::PlayerRole) -> Self {
        let sign = match team {
            Team::Left => 1.0,
            Team::Right => -1.0,
        };
        Self { x: rounded(sign * place[0] / PLACED[0]), y: rounded(sign * place[1] / PLACED[1]), role }
    }
}

impl Scene {
    /// Where the ball lies.
    pub(super) fn ball_metres(&self) -> Metres {
        [self.ball[0] * PUBLIC[0], self.ball[1] * PUBLIC[1]]
    }

    /// Where the players of a team stand.
    pub(super) fn metres(&self, team: Team) -> Vec<Metres> {
        let players = match team {
            Team::Left => &self.left,
            Team::Right => &self.right,
        };
        players.iter().map(|player| player.metres(team)).collect()
    }
}

/// The ball at a place, in public units with four decimals.
pub(super) fn ball_at(place: Metres) -> [f64; 2] {
    [rounded(place[0] / PUBLIC[0]), rounded(place[1] / PUBLIC[1])]
}

/// Four decimals; never a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

/// The distance in metres.
pub(super) fn distance(one: Metres, other: Metres) -> f64 {
    let [x, y] = [one[0] - other[0], one[1] - other[1]];
    (x * x + y * y).sqrt()
}
