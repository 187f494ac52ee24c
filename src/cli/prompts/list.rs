//! `prompts list`: the variants of each environment, in a line each.

use serde::Serialize;

use super::origin;
use crate::cli::context::Context;
use crate::cli::diagnostics::print_problem;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::prompt_catalog;
use crate::config::Catalog;
use crate::config::CatalogEntry;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::envs;

/// List the prompt variants, yours and those that ship with the program
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PromptRow {
    environment: &'static str,
    prompt: String,
    summary: String,
    images: bool,
    origin: String,
}

/// A file that cannot be read does not hide the others.
pub(in crate::cli) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for kind in envs::environments() {
        let shelf = prompt_catalog::catalog(*kind, house.folders());
        for entry in shelf.entries() {
            match row(*kind, &shelf, &entry) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
    }
    print(&rows, args.json)?;
    problems.iter().for_each(print_problem);
    Ok(if problems.is_empty() { Exit::Done } else { Exit::BadRequest })
}

fn row(kind: &dyn EnvironmentSpec, shelf: &Catalog, entry: &CatalogEntry) -> Result<PromptRow, Problem> {
    let prompt = prompt_catalog::read_variant(shelf, entry)?;
    Ok(PromptRow {
        environment: kind.name(),
        prompt: prompt.name,
        summary: prompt.summary,
        images: prompt.images,
        origin: origin(entry),
    })
}

fn print(rows: &[PromptRow], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        return Ok(rows.iter().try_for_each(|row| out.object_line(row))?);
    }
    let images = |row: &PromptRow| if row.images { "pictures" } else { "words" }.to_owned();
    let name = |row: &PromptRow| format!("{}/{}", row.environment, row.prompt);
    let cells = |row: &PromptRow| vec![name(row), images(row), row.origin.clone(), row.summary.clone()];
    let rows: Vec<_> = rows.iter().map(cells).collect();
    Ok(out.table(&rows)?)
}
