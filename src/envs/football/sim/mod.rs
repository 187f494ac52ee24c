//! The simulator `football/lite`: plain data of a fixed size, ticks of 10 ms, no heap, equal bits on every
//! machine. It models the game statistically (contact hazards instead of animations); how well it matches the
//! real engine is measured by `tools/football-validation`.
//!
//! Order of a tick: legs, ball, bodies, kicks, contacts, possession, referee. Commands (agent and AI) come once a
//! frame.

mod ability;
mod ai;
mod arrival;
mod ball;
mod bodies;
mod carry;
mod command;
mod contact;
mod control;
mod flight;
mod frame;
mod hands;
mod input;
mod kicking;
mod legs;
mod motion;
mod passing;
mod pitch;
mod player;
mod referee;
mod roster;
mod setup;
mod shooting;
mod sides;
mod sliding;
mod state;
mod stride;
#[cfg(test)]
mod tests;
mod vector;
mod waiting;

use self::ai::{AiMemory, Leaders};
use self::ball::{Ball, Forecast};
use self::command::Command;
use self::input::Input;
use self::player::Player;
use super::random::Random;
use super::{GameMode, MAX_PLAYERS, Owner};

pub use self::flight::KickedBall;
pub use self::setup::{DIFFICULTY, Setup};

/// A game: everything that a tick reads and writes. A clone goes on exactly the same.
#[derive(Clone, Debug)]
pub struct Game {
    /// Ticks since the start.
    tick: u32,
    ball: Ball,
    forecast: Forecast,
    /// The forecast is no longer that of the ball.
    ball_changed: bool,
    counts: [usize; 2],
    /// 0 to 1.
    difficulty: [f64; 2],
    players: [[Player; MAX_PLAYERS]; 2],
    commands: [[Command; MAX_PLAYERS]; 2],
    /// Seconds in which each player can reach the ball.
    arrival: [[f64; MAX_PLAYERS]; 2],
    leaders: Leaders,
    minds: [AiMemory; 2],
    owner: Option<Owner>,
    last_touch: Option<Owner>,
    /// Ticks since the last kick; saturates.
    since_kick: u16,
    mode: GameMode,
    /// Ticks until play goes on after a stoppage.
    pause: u16,
    score: [u32; 2],
    /// The controlled player of the left team.
    controlled: usize,
    input: Input,
    random: Random,
    /// 1, or −1 in a game mirrored at the long axis, whose errors go to the other side.
    hand: f64,
}
