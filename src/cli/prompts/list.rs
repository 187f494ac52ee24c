//! `prompts list`: the variants of each environment, in a line each.

use serde::Serialize;

use super::origin;
use crate::cli::complaint::complain;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::variants;
use crate::config::Entry;
use crate::config::Problem;
use crate::config::Shelf;
use crate::domain::Kind;
use crate::envs;

/// List the prompt variants, yours and those that ship with the program
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    environment: &'static str,
    prompt: String,
    summary: String,
    images: bool,
    origin: String,
}

/// A file that cannot be read does not hide the others.
pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for kind in envs::kinds() {
        let shelf = variants::shelf(*kind, house.folders());
        for entry in shelf.entries() {
            match row(*kind, &shelf, &entry) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
    }
    print(&rows, args.json)?;
    problems.iter().for_each(complain);
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Wrong })
}

fn row(kind: &dyn Kind, shelf: &Shelf, entry: &Entry) -> Result<Row, Problem> {
    let prompt = variants::variant(shelf, entry)?;
    Ok(Row {
        environment: kind.name(),
        prompt: prompt.name,
        summary: prompt.summary,
        images: prompt.images,
        origin: origin(entry),
    })
}

fn print(rows: &[Row], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        return Ok(rows.iter().try_for_each(|row| out.object(row))?);
    }
    let images = |row: &Row| if row.images { "pictures" } else { "words" }.to_owned();
    let name = |row: &Row| format!("{}/{}", row.environment, row.prompt);
    let cells = |row: &Row| vec![name(row), images(row), row.origin.clone(), row.summary.clone()];
    let rows: Vec<_> = rows.iter().map(cells).collect();
    Ok(out.table(&rows)?)
}
