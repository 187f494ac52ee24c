//! `bench`: how fast this machine runs what experiments and training depend on.

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

/// Measure the speed of an environment on this machine
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Sokoban(sokoban::Args),
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Sokoban(args) => sokoban::run(&args, context),
        }
    }
}
