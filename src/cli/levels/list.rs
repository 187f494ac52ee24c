//! `levels list`: the level sets, or the levels of one set.

use super::records::{LevelRecord, SetRecord};
use crate::context::Context;
use crate::diagnostics::print_problem;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::Record;
use mageyard_config::{CatalogEntry, Problem};
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::{LevelList, LevelTitle, TitledLevels, level_name, level_titles};

/// List the level sets, or the levels of one
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Environment, level set or file whose levels to list
    #[arg(value_name = "LEVELS")]
    reference: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    match &args.reference {
        Some(reference) => list_levels(reference, args.json, context),
        None => list_sets(args.json, context),
    }
}

fn list_levels(reference: &str, json: bool, context: &Context) -> Result<Exit, Failure> {
    let TitledLevels { levels, left_out } = level_titles(&context.lab, context.folders(), reference)?;
    let rows: Vec<_> = levels.iter().map(record).collect();
    let title = |one: &LevelTitle| one.title.clone().unwrap_or_default();
    let cells: Vec<_> =
        levels.iter().map(|one| vec![one.reference.clone(), title(one), one.needs.join(", ")]).collect();
    print(&rows, &cells, json)?;
    left_out.iter().for_each(print_problem);
    Ok(if left_out.is_empty() { Exit::Done } else { Exit::BadRequest })
}

fn record(one: &LevelTitle) -> LevelRecord<'_> {
    let level = level_name(one.title.as_deref(), one.number);
    LevelRecord { reference: Some(&one.reference), level, needs: &one.needs, ..LevelRecord::default() }
}

/// Files that cannot be read are reported after the list.
fn list_sets(json: bool, context: &Context) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    let mut problems = Vec::new();
    for kind in context.lab.environments() {
        for entry in mageyard_lab::level_catalog(*kind, context.folders()).entries() {
            match set_row(*kind, &entry, context) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
    }
    print(&rows, &rows.iter().flat_map(set_cells).collect::<Vec<_>>(), json)?;
    for problem in &problems {
        print_problem(problem);
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::BadRequest })
}

/// The cells of a set: its summary, and below it how it relates to the paper if that is known.
fn set_cells(set: &SetRecord<'_>) -> Vec<Vec<String>> {
    let summary = set.summary.clone().unwrap_or_default();
    let first = vec![set.reference.clone(), count_noun(set.levels, "level", "levels"), summary];
    let relation = |paper: &str| vec![String::new(), String::new(), paper.to_owned()];
    [first].into_iter().chain(set.paper.map(relation)).collect()
}

fn set_row(
    kind: &'static dyn EnvironmentSpec,
    entry: &CatalogEntry,
    context: &Context,
) -> Result<SetRecord<'static>, Problem> {
    let source = LevelList::from_entry(kind, context.folders(), entry)?;
    let notes = (kind.capabilities().files.notes)(&source.file.text);
    let title = notes.collection.iter().find_map(|note| note.strip_prefix("Title:"));
    let title = title.map(|title| title.trim().to_owned());
    let shipped = kind.level_sets().iter().find(|set| entry.path.is_none() && set.name == entry.name);
    let summary = match (&entry.path, &title) {
        (Some(path), Some(title)) => format!("{title} ({})", path.display()),
        (Some(path), None) => path.display().to_string(),
        (None, _) => shipped.map_or("", |set| set.summary).to_owned(),
    };
    let origin = source.file.path.display().to_string();
    Ok(SetRecord {
        levels: source.count(),
        reference: source.name,
        summary: Some(summary),
        paper: shipped.map(|set| set.paper),
        title,
        origin: Some(origin),
        out: None,
    })
}

fn print(rows: &[impl Record], cells: &[Vec<String>], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        rows.iter().try_for_each(|row| out.record(row))?;
    } else {
        out.table(cells)?;
    }
    Ok(())
}
