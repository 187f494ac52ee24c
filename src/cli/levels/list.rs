//! `levels list`: the sets on the shelf, or the levels of one.

use serde::Serialize;
use serde_json::Value;

use crate::cli::complaint::complain;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::output::many;
use crate::cli::reference;
use crate::cli::reference::Source;
use crate::config::Entry;
use crate::config::Problem;
use crate::domain::Kind;
use crate::envs;

/// List the level sets, or the levels of one
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Environment, set or file whose levels to list
    #[arg(value_name = "LEVELS")]
    reference: Option<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Set {
    r#type: &'static str,
    reference: String,
    levels: usize,
    summary: String,
    origin: String,
}

#[derive(Serialize)]
struct Row {
    r#type: &'static str,
    reference: String,
    level: Value,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    match &args.reference {
        Some(reference) => levels(reference, args.json, house),
        None => sets(args.json, house),
    }
}

fn levels(reference: &str, json: bool, house: &House) -> Result<Exit, Failure> {
    let chosen = reference::levels(house.folders(), reference)?;
    let row = |one: &reference::Chosen| Row {
        r#type: "level",
        reference: one.reference.clone(),
        level: one.name(),
    };
    let rows: Vec<Row> = chosen.iter().map(row).collect();
    let title = |one: &reference::Chosen| one.level.title.clone().unwrap_or_default();
    let cells: Vec<_> = chosen.iter().map(|one| vec![one.reference.clone(), title(one)]).collect();
    print(&rows, &cells, json)?;
    Ok(Exit::Done)
}

/// A file that cannot be read does not hide the others.
fn sets(json: bool, house: &House) -> Result<Exit, Failure> {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for kind in envs::kinds() {
        for entry in reference::shelf(*kind, house.folders()).entries() {
            match set(*kind, &entry, house) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
    }
    let cells =
        |set: &Set| vec![set.reference.clone(), many(set.levels, "level", "levels"), set.summary.clone()];
    print(&rows, &rows.iter().map(cells).collect::<Vec<_>>(), json)?;
    problems.iter().for_each(complain);
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Wrong })
}

fn set(kind: &'static dyn Kind, entry: &Entry, house: &House) -> Result<Set, Problem> {
    let source = Source::entry(kind, house.folders(), entry)?;
    let summary = match &entry.path {
        Some(path) => path.display().to_string(),
        None => {
            kind.sets().iter().find(|set| set.name == entry.name).map_or("", |set| set.summary).to_owned()
        }
    };
    let origin = source.sheet.path.display().to_string();
    Ok(Set { r#type: "set", reference: source.name, levels: source.levels.len(), summary, origin })
}

fn print(rows: &[impl Serialize], cells: &[Vec<String>], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        rows.iter().try_for_each(|row| out.object(row))?;
    } else {
        out.table(cells)?;
    }
    Ok(())
}
