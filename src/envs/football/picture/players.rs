//! What both views derive from a state: players and ball in metres, names.

use super::super::{FrameState, MAX_PLAYERS, Owner, Team};
use super::markings::{length, metres, velocity};

/// A player in metres and metres a second, y down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) team: Team,
    pub(super) slot: usize,
    pub(super) place: [f64; 2],
    pub(super) velocity: [f64; 2],
    pub(super) is_controlled: bool,
    pub(super) is_owner: bool,
}

impl Player {
    pub(super) fn speed(&self) -> f64 {
        length(self.velocity)
    }

    /// The unit vector of his movement; `None` while he is nearly at rest.
    pub(super) fn heading(&self) -> Option<[f64; 2]> {
        let speed = self.speed();
        (speed >= 0.3).then(|| self.velocity.map(|part| part / speed))
    }
}

/// The number on the shirt of the player at this index: 1 to 11.
pub(super) fn shirt(slot: usize) -> &'static str {
    const SHIRTS: [&str; MAX_PLAYERS] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];
    SHIRTS.get(slot).copied().unwrap_or("?")
}

/// The name of a player: role and number, such as `CM 7`.
pub(super) fn name(state: &FrameState, team: Team, slot: usize) -> String {
    let role = state.squad(team).roles.get(slot).map_or("", |role| role.name());
    format!("{role} {}", shirt(slot))
}

/// All players, opponents first and the controlled one last, so that he is drawn over the others.
pub(super) fn players(state: &FrameState) -> Vec<Player> {
    let of = |team: Team| {
        let squad = state.squad(team);
        let slots = 0..squad.count.min(MAX_PLAYERS);
        slots.map(move |slot| Player {
            team,
            slot,
            place: metres(squad.positions[slot]),
            velocity: velocity(squad.movements[slot]),
            is_controlled: team == Team::Left && slot == state.active,
            is_owner: state.owner == Some(Owner { team, player: slot }),
        })
    };
    let mut all: Vec<Player> = of(Team::Right).chain(of(Team::Left)).collect();
    all.sort_by_key(|player| (player.is_controlled, player.is_owner));
    all
}

/// The speed of the ball in metres a second, over the ground.
pub(super) fn ball_velocity(state: &FrameState) -> [f64; 2] {
    velocity([state.ball_movement[0], state.ball_movement[1]])
}

/// The place of the ball in metres, y down.
pub(super) fn ball_place(state: &FrameState) -> [f64; 2] {
    metres([state.ball[0], state.ball[1]])
}

/// The frames that were played.
pub(super) fn frames(state: &FrameState) -> u32 {
    401_u32.saturating_sub(state.steps_left)
}
