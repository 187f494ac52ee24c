//! What a team's AI gets to decide with: the world as it is, the world as the team sees it (a moment ago), and
//! what does not change during a game.

use super::ball::Ball;
use super::ball::Forecast;
use super::vector::Vec2;
use crate::envs::football::GameMode;
use crate::envs::football::MAX_PLAYERS;
use crate::envs::football::Owner;
use crate::envs::football::Role;
use crate::envs::football::Team;

/// Index of a team in arrays: left 0, right 1.
pub(crate) const fn side(team: Team) -> usize {
    match team {
        Team::Left => 0,
        Team::Right => 1,
    }
}

/// The direction of a team's attack along x: 1 or −1.
pub(crate) const fn attack(team: Team) -> f64 {
    match team {
        Team::Left => 1.0,
        Team::Right => -1.0,
    }
}

/// What is seen of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) place: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) facing: Vec2,
}

impl Body {
    pub(crate) const NONE: Self = Self { place: Vec2::ZERO, velocity: Vec2::ZERO, facing: Vec2::ZERO };
}

/// The world at one moment; one is taken each 100 ms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) ball: Ball,
    /// By [`side`]; only as many as the team has mean something.
    pub(crate) bodies: [[Body; MAX_PLAYERS]; 2],
    /// Who has the ball at his feet or in his hands.
    pub(crate) owner: Option<Owner>,
    /// Who touched the ball last.
    pub(crate) last_touch: Option<Owner>,
}

/// What does not change during a game, by [`side`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lineup {
    pub(crate) count: [usize; 2],
    pub(crate) roles: [[Role; MAX_PLAYERS]; 2],
    /// Places of the scene in metres, axes of the pitch.
    pub(crate) homes: [[Vec2; MAX_PLAYERS]; 2],
    /// 0 to 1.
    pub(crate) difficulty: [f64; 2],
    /// How much a team feels in possession at the start: 1.5 or 0.5.
    pub(crate) mood: [f64; 2],
}

/// The argument of the AI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) team: Team,
    /// Ticks since the start.
    pub(crate) tick: u32,
    pub(crate) mode: GameMode,
    pub(crate) now: &'a Snapshot,
    /// What the team sees: `now`, or a snapshot up to 200 ms old.
    pub(crate) seen: &'a Snapshot,
    pub(crate) lineup: &'a Lineup,
    /// The path of the ball, if untouched.
    pub(crate) forecast: &'a Forecast,
    /// Seconds in which each player can reach the ball, by [`side`]; at most 3 s and the way to its last point.
    pub(crate) arrival: &'a [[f64; MAX_PLAYERS]; 2],
    /// The player of each team who reaches the ball first.
    pub(crate) nearest: [usize; 2],
    /// The keeper of this team has the ball in his hands: for how many ticks.
    pub(crate) held: Option<u16>,
    /// The player of this team whom the agent controls now; his command is ignored.
    pub(crate) controlled: Option<usize>,
}

impl View<'_> {
    /// Index of the own team.
    pub(crate) const fn own(&self) -> usize {
        side(self.team)
    }

    /// Index of the opponents.
    pub(crate) const fn other(&self) -> usize {
        1 - side(self.team)
    }

    /// Direction of the own attack along x.
    pub(crate) const fn attack(&self) -> f64 {
        attack(self.team)
    }
}
