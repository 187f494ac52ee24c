//! `football`: how well the simulator of football matches recordings of the real engine, and what policies without
//! judgement reach in it.

mod baselines;
mod data;
mod options;
mod players;
mod progress;
mod validate;

use super::context::Context;
use super::exit::{Exit, Failure};
use mageyard_football::Scene;
use mageyard_football::sim::{DIFFICULTY, Game, Setup};

/// The engine that every result names.
const ENGINE: &str = "football/lite";

/// Compare football with the real engine, and print baselines
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Validate(validate::Args),
    Baselines(baselines::Args),
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Validate(args) => validate::run(&args),
            Self::Baselines(args) => baselines::run(&args, context),
        }
    }
}

/// The game at the start of a scene.
fn game(scene: &Scene, seed: u64) -> Game {
    Game::new(scene, Setup { seed, difficulty: DIFFICULTY })
}

/// Rows as the lines of a Markdown table; the first row is the head.
fn markdown(rows: &[Vec<String>]) -> Vec<String> {
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | ").replace('\n', " "));
    let escaped = |cells: &Vec<String>| cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let mut lines: Vec<String> = rows.iter().map(escaped).map(|cells| line(&cells)).collect();
    let rule = vec!["---".to_owned(); rows.first().map_or(0, Vec::len)];
    lines.insert(lines.len().min(1), line(&rule));
    lines
}
