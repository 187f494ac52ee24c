//! `suite list`: the suites by name.

use super::records::SuiteFileRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use mageyard_config::{Catalog, CatalogEntry};
use mageyard_study::{Suite, parse_suite, suite_catalog};

/// List the suites, shipped ones and your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A file that cannot be read does not hide the others.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let catalog = suite_catalog(context.folders());
    let mut out = Output::open();
    let entries = catalog.entries();
    if args.json {
        entries.iter().try_for_each(|entry| print_record(&catalog, entry, &mut out))?;
    } else {
        out.table(&entries.iter().map(|entry| cells(&catalog, entry)).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn read(catalog: &Catalog, entry: &CatalogEntry) -> Result<Suite, String> {
    let read = catalog.read(entry).and_then(|file| parse_suite(&file));
    read.map_err(|problem| problem.to_string())
}

fn origin(entry: &CatalogEntry) -> String {
    entry.path.as_ref().map_or_else(|| "shipped".to_owned(), |path| path.display().to_string())
}

fn print_record(catalog: &Catalog, entry: &CatalogEntry, out: &mut Output) -> std::io::Result<()> {
    let suite = read(catalog, entry);
    let known = suite.as_ref().ok();
    out.record(&SuiteFileRecord {
        name: &entry.name,
        origin: origin(entry),
        about: known.map(|suite| suite.about.as_str()),
        environment: known.map(|suite| suite.environment.as_str()),
        states: known.map(|suite| suite.states.len()),
        broken: suite.as_ref().err().map(String::as_str),
    })
}

fn cells(catalog: &Catalog, entry: &CatalogEntry) -> Vec<String> {
    let what = match read(catalog, entry) {
        Ok(suite) => {
            vec![suite.environment, count_noun(suite.states.len(), "state", "states"), suite.about]
        }
        Err(why) => vec![String::new(), String::new(), format!("BROKEN, {why}")],
    };
    [vec![entry.name.clone(), origin(entry)], what].concat()
}
