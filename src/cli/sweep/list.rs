//! `sweep list`: the sweeps by name, and their check.

use mageyard_sweep::plan_sweep;
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::finding::Finding;
use crate::output::Output;
use crate::records::Record;
use mageyard_config::{Catalog, CatalogEntry, Config, Folders, Problem};
use mageyard_lab::Lab;
use mageyard_sweep::SweepOverrides;

/// List the sweeps, shipped ones and your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A sweep that can be planned by its name (`sweep list`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct SweepRow {
    /// Name of the sweep.
    name: String,
    /// What it is for; may be empty.
    about: String,
    /// `shipped`, or the path of your file.
    origin: String,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    broken: Option<String>,
}

impl Record for SweepRow {
    const TYPE: &'static str = "sweep_file";
}

/// A file that cannot be read does not hide the others.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let catalog = mageyard_sweep::sweep_catalog(context.folders());
    let rows: Vec<SweepRow> = catalog.entries().into_iter().map(|entry| row(&catalog, entry)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.record(row))?;
    } else {
        let about = |row: &SweepRow| match &row.broken {
            Some(why) => format!("BROKEN, {why}"),
            None => row.about.clone(),
        };
        let cells: Vec<_> =
            rows.iter().map(|row| vec![row.name.clone(), row.origin.clone(), about(row)]).collect();
        out.table(&cells)?;
    }
    Ok(Exit::Done)
}

fn row(catalog: &Catalog, entry: CatalogEntry) -> SweepRow {
    let read = catalog.read(&entry).and_then(|sheet| mageyard_sweep::sweep_summary(&sheet));
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    let (about, broken) = match read {
        Ok(about) => (about, None),
        Err(problem) => (String::new(), Some(problem.to_string())),
    };
    SweepRow { name: entry.name, about, origin, broken }
}

/// The check of the sweeps in a catalog: each is planned with the shipped settings and a model without a server.
pub(crate) fn findings(lab: &Lab, folders: &Folders) -> Vec<Finding> {
    let catalog = mageyard_sweep::sweep_catalog(folders);
    let check = |entry: CatalogEntry| {
        Finding::of(format!("sweeps/{}.toml", entry.name), summary(lab, folders, &catalog, &entry))
    };
    catalog.entries().into_iter().map(check).collect()
}

fn summary(lab: &Lab, folders: &Folders, catalog: &Catalog, entry: &CatalogEntry) -> Result<String, Problem> {
    let sheet = catalog.read(entry)?;
    let mut overrides = SweepOverrides::default();
    overrides.parse("model.name=MODEL", "check")?;
    let plan = plan_sweep(lab, &sheet, &overrides, &Config::shipped(folders.clone())?)?;
    if plan.cells.is_empty() {
        return Err(sheet.problem_at("no cell can be played", 0..0));
    }
    Ok(format!("{} cells, {} struck out", plan.cells.len(), plan.struck.len()))
}
