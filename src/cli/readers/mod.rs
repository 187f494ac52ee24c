//! `readers`: the reader rules, the file of one to start from, and one tried on a reply.

mod try_reply;

use schemars::JsonSchema;
use serde::Serialize;

pub(super) use self::try_reply::ReadingRecord;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use mageyard_config::{Catalog, CatalogEntry};
use mageyard_lab::{parse_reader, reader_catalog};

/// List the reply readers, print the file of one, or try one on a reply
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Print the file of this reader, as a start for your own
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print JSON, one object per line
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Try(try_reply::Args),
}

/// Reader rules (`readers`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ReaderRow {
    /// Name and version.
    reader: String,
    /// Description.
    about: String,
    /// Path of the file, or `shipped`.
    origin: String,
    /// Whether they are configured.
    chosen: bool,
}

impl Record for ReaderRow {
    const TYPE: &'static str = "reader";
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    if let Some(Verb::Try(args)) = &args.verb {
        return try_reply::run(args, context);
    }
    let catalog = reader_catalog(context.folders());
    if let Some(name) = &args.name {
        Output::open().raw(catalog.find(name)?.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let config = context.config()?;
    let chosen = catalog.name_now(&config.settings().play.reader);
    let rows: Vec<ReaderRow> =
        catalog.entries().into_iter().map(|entry| row(&catalog, entry, chosen)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.record(row))?;
    } else {
        let mark = |row: &ReaderRow| if row.chosen { "*" } else { "" }.to_owned();
        let cells =
            |row: &ReaderRow| vec![mark(row), row.reader.clone(), row.origin.clone(), row.about.clone()];
        out.table(&rows.iter().map(cells).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn row(catalog: &Catalog, entry: CatalogEntry, chosen: &str) -> ReaderRow {
    let read = catalog.read(&entry).and_then(|file| parse_reader(&entry.name, &file));
    let (reader, about) = match read {
        Ok(rules) => (rules.to_string(), rules.about().to_owned()),
        Err(problem) => (entry.name.clone(), problem.to_string()),
    };
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    ReaderRow { chosen: entry.name == chosen, reader, about, origin }
}
