//! `bench`: how fast this machine does what experiments and training wait for.

mod clock;
mod machine;
mod making;
mod measure;
mod part;
mod sokoban;
mod solving;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;

/// Measure how fast an environment is on this machine
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Sokoban(sokoban::Args),
}

impl Verb {
    pub(super) fn run(self, house: &House) -> Result<Exit, Failure> {
        match self {
            Self::Sokoban(args) => sokoban::run(&args, house),
        }
    }
}
