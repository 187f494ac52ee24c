//! The simulator `football/lite`: plain data of a fixed size, ticks of 10 ms, no heap, equal bits on every
//! machine. It models the game statistically (contact hazards instead of animations); how well it matches the
//! real engine is measured by `football validate`.
//!
//! Order of a tick: commands (agent and AI), legs, ball, bodies, touches, possession, referee.

mod ability;
mod ball;
mod command;
mod pitch;
mod player;
mod setup;
mod vector;
mod view;

use self::ball::Ball;
use self::ball::Forecast;
use self::command::Command;
use self::player::Player;
use self::view::Lineup;
use self::view::Snapshot;
use super::GameMode;
use super::MAX_PLAYERS;
use super::Owner;
use super::random::Random;

pub use self::setup::Setup;

/// Snapshots that are kept: now, 100 and 200 ms ago.
const HISTORY: usize = 3;

/// A game: everything that a tick reads and writes. A clone goes on exactly the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Ticks since the start.
    tick: u32,
    ball: Ball,
    forecast: Forecast,
    lineup: Lineup,
    players: [[Player; MAX_PLAYERS]; 2],
    commands: [[Command; MAX_PLAYERS]; 2],
    /// Seconds in which each player can reach the ball.
    arrival: [[f64; MAX_PLAYERS]; 2],
    /// Newest first.
    history: [Snapshot; HISTORY],
    owner: Option<Owner>,
    last_touch: Option<Owner>,
    mode: GameMode,
    score: [u32; 2],
    /// The controlled player of the left team.
    controlled: usize,
    random: Random,
}
