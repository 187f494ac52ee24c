//! `football`: how well the simulator of football matches recordings of the real engine.

mod data;
mod progress;
mod validate;

use super::exit::Exit;
use super::exit::Failure;
use crate::envs::football::Scene;
use crate::envs::football::sim::Game;
use crate::envs::football::sim::Setup;

/// The engine that every result names.
const ENGINE: &str = "football/lite";
/// Skill of the agent's team and of the opponents, as `MageBench` sets it.
const DIFFICULTY: [f64; 2] = [1.0, 0.0];

/// Compare the football simulator with recordings of the real engine
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Validate(validate::Args),
}

impl Verb {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Validate(args) => validate::run(&args),
        }
    }
}

/// The game at the start of a scene.
fn game(scene: &Scene, seed: u64) -> Game {
    Game::new(scene, Setup { seed, difficulty: DIFFICULTY })
}
