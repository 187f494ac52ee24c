//! `bench`: how fast this machine does what experiments and training wait for.

mod clock;
mod generation;
mod machine;
mod measurement;
mod rates;
mod sokoban;
mod solve_times;

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;

/// Measure how fast an environment is on this machine
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Sokoban(sokoban::Args),
}

impl Verb {
    pub(super) fn run(self, house: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Sokoban(args) => sokoban::run(&args, house),
        }
    }
}
