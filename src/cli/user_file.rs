//! Verbs of a file that people write themselves: list what is in it, check it, and print one to start from.

use std::path::PathBuf;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::finding::{Finding, print_findings};
use super::output::Output;
use super::records::Record;
use mageyard_config::{Folders, Problem};

/// What to do with the file
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// Print the path of the file and what is in it
    List(Args),
    /// Check the file
    Check(Args),
    /// Print an example file to start from
    Example,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A file that people write themselves.
pub(super) trait UserFile: Sized {
    /// Its name in findings.
    const NAME: &'static str;
    /// An example of it.
    const EXAMPLE: &'static str;
    /// The object of a row.
    type Row: Record;

    /// Reads it.
    fn load(folders: &Folders) -> Result<Self, Problem>;

    /// Where it is.
    fn path(folders: &Folders) -> PathBuf;

    /// What is said beside the path if there is no such file.
    fn absence() -> &'static str {
        " (does not exist)"
    }

    /// Its rows as objects.
    fn records(&self) -> Vec<Self::Row>;

    /// Its rows as a table, with titles; empty if there are none.
    fn rows(&self) -> Vec<Vec<String>>;

    /// A line below the table.
    fn remark(&self, context: &Context) -> Result<Option<String>, Problem>;

    /// What is in it, in a few words.
    fn summary(&self) -> String;
}

impl Verb {
    pub(super) fn run<F: UserFile>(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(Args { json: true }) => print_objects(&F::load(context.folders())?),
            Self::List(_) => print_table(&F::load(context.folders())?, context),
            Self::Check(args) => print_findings(&[finding::<F>(context.folders())], args.json),
            Self::Example => {
                Output::open().raw(F::EXAMPLE.as_bytes())?;
                Ok(Exit::Done)
            }
        }
    }
}

/// The check of the file.
pub(super) fn finding<F: UserFile>(folders: &Folders) -> Finding {
    Finding::of(F::NAME, F::load(folders).map(|file| file.summary()))
}

fn print_objects<F: UserFile>(file: &F) -> Result<Exit, Failure> {
    let mut out = Output::open();
    file.records().iter().try_for_each(|row| out.record(row))?;
    Ok(Exit::Done)
}

fn print_table<F: UserFile>(file: &F, context: &Context) -> Result<Exit, Failure> {
    let path = F::path(context.folders());
    let mut out = Output::open();
    let absence = if path.exists() { "" } else { F::absence() };
    out.line(format!("{}{absence}", path.display()))?;
    let rows = file.rows();
    if !rows.is_empty() {
        out.table(&rows)?;
    }
    file.remark(context)?.map_or(Ok(()), |remark| out.line(remark))?;
    Ok(Exit::Done)
}
