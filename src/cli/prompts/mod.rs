//! `prompts`: the prompt variants on the shelf, the shipped ones and the user's own.

mod check;
mod list;
mod show;

pub(super) use check::findings;

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use crate::config::CatalogEntry;

/// The prompt variants: list, show, check
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
}

impl Verb {
    pub(super) fn run(self, house: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list::run(&args, house),
            Self::Show(args) => show::run(&args, house),
            Self::Check(args) => check::run(&args, house),
        }
    }
}

/// Where a variant comes from: `shipped`, or the user's file.
fn origin(entry: &CatalogEntry) -> String {
    entry.path.as_ref().map_or_else(|| "shipped".to_owned(), |path| path.display().to_string())
}
