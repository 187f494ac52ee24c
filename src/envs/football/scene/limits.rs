//! What every scene must fulfil, whether it is read from a text or from another program's file. Errors name the field.

use super::{Placed, Scene};
use crate::{MAX_PLAYERS, PlayerRole, Team};

/// The lines, for the ball in public units.
const BALL: [f64; 2] = [1.011, 0.4306];
/// A metre beyond the lines, for players in units of scenes.
const PLAYER: [f64; 2] = [1.0182, 0.4355];

/// The name of a team in texts.
pub(super) fn team_name(team: Team) -> &'static str {
    match team {
        Team::Left => "left",
        Team::Right => "right",
    }
}

/// A number of a field within its limit, or what is wrong.
fn inside(field: &str, value: f64, limit: f64, of: &str) -> Result<(), String> {
    if value.is_finite() && value.abs() <= limit {
        return Ok(());
    }
    Err(format!("{field}: {value} is outside the pitch; {of} is from -{limit} to {limit}"))
}

/// Checks where the ball lies.
pub(super) fn check_ball(ball: [f64; 2]) -> Result<(), String> {
    inside("ball x", ball[0], BALL[0], "a ball")?;
    inside("ball y", ball[1], BALL[1], "a ball")
}

/// Checks a player who is added to a scene after those that it has. He may be where another one is, as in scenarios of
/// the engine, which moves them apart.
pub(super) fn check_player(scene: &Scene, team: Team, player: &Placed) -> Result<(), String> {
    let name = team_name(team);
    let mates = scene.players(team);
    inside("x", player.x, PLAYER[0], "a player")?;
    inside("y", player.y, PLAYER[1], "a player")?;
    if mates.len() >= MAX_PLAYERS {
        return Err(format!("{name}: too many players; a team has at most {MAX_PLAYERS}"));
    }
    match (mates.is_empty(), player.role) {
        (true, PlayerRole::Gk) => {}
        (true, other) => {
            let other = other.name();
            return Err(format!("role: {other} cannot be the first of {name}; the first is the keeper, GK"));
        }
        (false, PlayerRole::Gk) => return Err(format!("role: {name} has a keeper already")),
        (false, _) => {}
    }
    Ok(())
}

/// Checks that no player is missing once all are added.
pub(super) fn check_complete(scene: &Scene) -> Result<(), String> {
    if scene.left.len() < 2 {
        return Err("left: players are missing; a keeper and at least one more are required".into());
    }
    if scene.right.is_empty() {
        return Err("right: players are missing; at least a keeper is required".into());
    }
    Ok(())
}

impl Scene {
    /// The players of a team.
    pub(super) fn players(&self, team: Team) -> &Vec<Placed> {
        match team {
            Team::Left => &self.left,
            Team::Right => &self.right,
        }
    }

    /// The players of a team, to add one.
    pub(super) fn players_mut(&mut self, team: Team) -> &mut Vec<Placed> {
        match team {
            Team::Left => &mut self.left,
            Team::Right => &mut self.right,
        }
    }
}
