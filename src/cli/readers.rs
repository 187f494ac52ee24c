//! `readers`: the reader rules, and the file of one to start from.

use std::path::Path;

use serde::Serialize;

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use crate::config::Catalog;
use crate::config::CatalogEntry;
use crate::config::Config;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::dialog::ReaderRules;

/// The size limit of a reader file, in bytes.
const LIMIT: u64 = 1 << 20;

/// List the reply readers, or print the file of one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print the file of this reader, as a start for your own
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print JSON, one object per line
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

#[derive(Serialize)]
struct ReaderRow {
    reader: String,
    about: String,
    origin: String,
    chosen: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let catalog = catalog(context.folders());
    if let Some(name) = &args.name {
        Output::open().raw(catalog.find(name)?.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let config = context.config()?;
    let chosen = &config.settings().play.reader;
    let rows: Vec<ReaderRow> =
        catalog.entries().into_iter().map(|entry| row(&catalog, entry, chosen)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object_line("reader", row))?;
    } else {
        let mark = |row: &ReaderRow| if row.chosen { "*" } else { "" }.to_owned();
        let cells =
            |row: &ReaderRow| vec![mark(row), row.reader.clone(), row.origin.clone(), row.about.clone()];
        out.table(&rows.iter().map(cells).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn row(catalog: &Catalog, entry: CatalogEntry, chosen: &str) -> ReaderRow {
    let read = catalog.read(&entry).and_then(|file| parse(&entry.name, &file));
    let (reader, about) = match read {
        Ok(rules) => (rules.to_string(), rules.about().to_owned()),
        Err(problem) => (entry.name.clone(), problem.to_string()),
    };
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    ReaderRow { chosen: entry.name == chosen, reader, about, origin }
}

/// The readers: shipped ones and the user's own.
pub(super) fn catalog(folders: &Folders) -> Catalog {
    let shipped = ReaderRules::shipped().iter().copied();
    Catalog::new("reader", "readers", shipped, folders.readers(), &["toml"])
}

/// The configured rules; an unknown name is reported at the place where it was set.
pub(super) fn configured(folders: &Folders, config: &Config) -> Result<ReaderRules, Problem> {
    let wanted = &config.settings().play.reader;
    let names: Vec<String> = catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.problem_with("play.reader", format!("there is no reader {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    by_name(folders, wanted)
}

/// Rules by name; the user's own take precedence over shipped ones.
pub(super) fn by_name(folders: &Folders, name: &str) -> Result<ReaderRules, Problem> {
    parse(name, &catalog(folders).find(name)?)
}

/// Rules by name, or by the path of their file.
pub(super) fn by_name_or_path(folders: &Folders, given: &str) -> Result<ReaderRules, Problem> {
    let path = Path::new(given);
    let is_path = given.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    match path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_path) {
        Some(name) => parse(name, &SourceFile::read(path, LIMIT)?),
        None => by_name(folders, given),
    }
}

fn parse(name: &str, file: &SourceFile) -> Result<ReaderRules, Problem> {
    ReaderRules::parse(name, &file.text).map_err(|error| {
        let problem = file.problem_at(error.message, error.span);
        match error.unknown_key {
            Some((given, known)) => problem.with_suggestions(&given, known),
            None => problem,
        }
    })
}
