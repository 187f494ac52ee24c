//! `suite`: named lists of recorded states, on which `ask` compares prompts.

mod add;
mod check;
mod list;
mod new;
mod records;
mod show;
mod steps;

pub(super) use self::check::findings;
pub(super) use self::records::SuiteFileRecord;
pub(super) use self::records::SuiteRecord;
pub(super) use self::records::SuiteStateRecord;
use super::context::Context;
use super::exit::{Exit, Failure};

/// Make, list and check suites: states to compare prompts on
///
/// A suite is a TOML file with recorded states, each with what it takes to open it elsewhere. `mageyard ask SUITE` puts
/// all of them to prompts, memory windows and models. docs/suites.md describes the file and the report.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    New(new::Args),
    Add(add::Args),
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::New(args) => new::run(&args, context),
            Self::Add(args) => add::run(&args, context),
            Self::List(args) => list::run(&args, context),
            Self::Show(args) => show::run(&args, context),
            Self::Check(args) => check::run(&args, context),
        }
    }
}
