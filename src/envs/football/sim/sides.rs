//! Teams as indices and as directions.

use crate::Team;

/// Index of a team in arrays: left 0, right 1.
pub(crate) const fn side(team: Team) -> usize {
    match team {
        Team::Left => 0,
        Team::Right => 1,
    }
}

/// The team with this index.
pub(crate) const fn team(side: usize) -> Team {
    if side == 0 { Team::Left } else { Team::Right }
}

/// The direction of a team's attack along x: 1 or −1.
pub(crate) const fn attack(team: Team) -> f64 {
    match team {
        Team::Left => 1.0,
        Team::Right => -1.0,
    }
}
