//! `prompts`: the prompt variants on the shelf, the shipped ones and the user's own.

mod check;
mod list;
mod show;

pub(super) use check::all;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use crate::config::Entry;

/// The prompt variants: list, show, check
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
}

impl Verb {
    pub(super) fn run(self, house: &House) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list::run(&args, house),
            Self::Show(args) => show::run(&args, house),
            Self::Check(args) => check::run(&args, house),
        }
    }
}

/// Where a variant comes from: `shipped`, or the user's file.
fn origin(entry: &Entry) -> String {
    entry.path.as_ref().map_or_else(|| "shipped".to_owned(), |path| path.display().to_string())
}
