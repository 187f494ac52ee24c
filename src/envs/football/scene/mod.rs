//! Where an episode begins: the ball and two teams, in units of scene files.

mod check;
mod formats;
mod generator;
mod import;
mod limits;
mod passing;
mod place;
#[cfg(test)]
mod tests;
mod text;
mod zone;

pub(super) use self::check::Check;
pub(super) use self::formats::FORMATS;
pub(super) use self::text::{errors, levels, read_one};

use super::PlayerRole;

/// A player of a scene, in units of scene files and in the frame of his own team: x from his own goal (−1) to the
/// opponents' (1), y in ±0.42; the right team is mirrored in both axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed {
    /// Along the pitch: 55 m a unit.
    pub x: f64,
    /// Across the pitch: 84.96 m a unit.
    pub y: f64,
    /// His role.
    pub role: PlayerRole,
}

/// A scene: who starts where. The first player of each team is its keeper; a team has at most eleven.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Its name, such as `R5_P_2`.
    pub name: String,
    /// Where the ball lies, in public units.
    pub ball: [f64; 2],
    /// The agent's team.
    pub left: Vec<Placed>,
    /// The opponents, each in the frame of their own team.
    pub right: Vec<Placed>,
}
