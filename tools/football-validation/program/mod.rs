//! The command line: one file for each subcommand, and what they share.

mod baselines;
mod data;
mod exit;
mod levels;
mod options;
mod output;
mod parallel;
mod players;
mod progress;
mod validate;

use clap::{Parser, Subcommand};
use exit::{Exit, Failure};
use mageyard_football::Scene;
use mageyard_football::sim::{DIFFICULTY, Game, Setup};

/// The engine that is compared.
const ENGINE: &str = "football/lite";

/// Compare football with the real engine, and print baselines
#[derive(Debug, Parser)]
#[command(name = "mageyard-football-validation", version, max_term_width = 100)]
pub(super) struct Tool {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Validate(validate::Args),
    Baselines(baselines::Args),
}

impl Tool {
    /// Runs the subcommand.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self.verb {
            Verb::Validate(args) => validate::run(&args),
            Verb::Baselines(args) => baselines::run(&args),
        }
    }
}

/// The game at the start of a scene.
fn game(scene: &Scene, seed: u64) -> Game {
    Game::new(scene, Setup { seed, difficulty: DIFFICULTY })
}
