//! `prompts`: shipped prompt variants and the user's own.

mod check;
mod import;
mod list;
mod record;
mod show;

pub(super) use self::record::PromptRecord;

pub(super) use check::findings;

use super::context::Context;
use super::exit::{Exit, Failure};
use mageyard_config::CatalogEntry;

/// List, show and check prompt variants
///
/// A prompt file is Markdown. When it is read, the lines of a paragraph are joined with spaces, so a file can be
/// wrapped at any width. Blank lines, list items, headings, quotes, code fences, and lines that are only a variable
/// such as {format} or a tag such as <think> keep their line breaks. A backslash or two spaces at the end of a line
/// keep the break too.
///
/// The prompts of side requests are files too: prompts/ENVIRONMENT/roles/NAME.md for a role, such as reward.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
    Import(import::Args),
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list::run(&args, context),
            Self::Show(args) => show::run(&args, context),
            Self::Check(args) => check::run(&args, context),
            Self::Import(args) => import::run(&args, context),
        }
    }
}

/// The folder with the prompts of roles, and what their names begin with.
const ROLES: &str = "roles";

/// The origin of a variant: `shipped`, or the user's file.
fn origin(entry: &CatalogEntry) -> String {
    entry.path.as_ref().map_or_else(|| "shipped".to_owned(), |path| path.display().to_string())
}
