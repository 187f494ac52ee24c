//! `prompts list`: the prompt variants of each environment.

use super::origin;
use super::record::PromptRecord;
use crate::context::Context;
use crate::diagnostics::print_problem;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use mageyard_config::{Catalog, CatalogEntry, Problem};
use mageyard_dialog::PromptImages;
use mageyard_domain::EnvironmentSpec;
use mageyard_lab::{PromptOrigin, check_role_prompt, role_prompt_catalog, role_prompt_entries};

/// List the prompt variants, shipped ones and your own
///
/// The shipped ones are worded by us; they add the actions left and the list of actions to what the benchmark's paper
/// describes. `mageyard prompts import magebench DIR` makes variants with the benchmark's own texts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A file that cannot be read does not hide the others.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    let mut problems = Vec::new();
    for spec in context.lab.environments() {
        let catalog = mageyard_lab::prompt_catalog(*spec, context.folders());
        for entry in catalog.entries() {
            match row(*spec, &catalog, &entry) {
                Ok(row) => rows.push(row),
                Err(problem) => problems.push(problem),
            }
        }
        let roles = role_prompt_catalog(*spec, context.folders());
        for entry in role_prompt_entries(*spec, context.folders()) {
            match roles.read(&entry).and_then(|file| check_role_prompt(&file, &entry.name)) {
                Ok(role) => rows.push(PromptRecord::of_role(*spec, role, &entry)),
                Err(problem) => problems.push(problem),
            }
        }
    }
    print(&rows, args.json)?;
    for problem in &problems {
        print_problem(problem);
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::BadRequest })
}

fn row(spec: &dyn EnvironmentSpec, catalog: &Catalog, entry: &CatalogEntry) -> Result<PromptRecord, Problem> {
    let prompt = mageyard_lab::read_prompt(catalog, entry)?;
    Ok(PromptRecord {
        environment: spec.name().to_owned(),
        prompt: prompt.name,
        summary: prompt.summary,
        images: prompt.images != PromptImages::None,
        origin: origin(entry),
        in_place_of_shipped: PromptOrigin::of(spec, entry) == PromptOrigin::InPlaceOfShipped,
        ..PromptRecord::default()
    })
}

fn print(rows: &[PromptRecord], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        return Ok(rows.iter().try_for_each(|row| out.record(row))?);
    }
    let images = |row: &PromptRecord| if row.images { "pictures" } else { "words" }.to_owned();
    let name = |row: &PromptRecord| format!("{}/{}", row.environment, row.prompt);
    let origin = |row: &PromptRecord| match row.origin.as_str() {
        "shipped" => "shipped, worded by us".to_owned(),
        path if row.in_place_of_shipped => format!("yours, in place of the shipped one: {path}"),
        path => path.to_owned(),
    };
    let cells = |row: &PromptRecord| vec![name(row), images(row), origin(row), row.summary.clone()];
    let rows: Vec<_> = rows.iter().map(cells).collect();
    Ok(out.table(&rows)?)
}
