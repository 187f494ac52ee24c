//! `readers`: the reading rules on the shelf, and one of them as a file to start from.

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

/// The most bytes a file of reading rules may have.
const LIMIT: u64 = 1 << 20;

/// List the reading rules, or print the file of one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print the file of this one, to start your own from
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print one object a line
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

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let shelf = catalog(house.folders());
    if let Some(name) = &args.name {
        Output::open().raw(shelf.find(name)?.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let config = house.config()?;
    let chosen = &config.settings().play.reader;
    let rows: Vec<ReaderRow> = shelf.entries().into_iter().map(|entry| row(&shelf, entry, chosen)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object_line(row))?;
    } else {
        let mark = |row: &ReaderRow| if row.chosen { "*" } else { "" }.to_owned();
        let cells =
            |row: &ReaderRow| vec![mark(row), row.reader.clone(), row.origin.clone(), row.about.clone()];
        out.table(&rows.iter().map(cells).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn row(shelf: &Catalog, entry: CatalogEntry, chosen: &str) -> ReaderRow {
    let read = shelf.read(&entry).and_then(|sheet| parse(&entry.name, &sheet));
    let (reader, about) = match read {
        Ok(rules) => (rules.to_string(), rules.about().to_owned()),
        Err(problem) => (entry.name.clone(), problem.to_string()),
    };
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    ReaderRow { chosen: entry.name == chosen, reader, about, origin }
}

/// The shelf of reading rules.
pub(super) fn catalog(folders: &Folders) -> Catalog {
    let shipped = ReaderRules::shipped().iter().copied();
    Catalog::new("reader", "readers", shipped, folders.readers(), &["toml"])
}

/// The rules that are set; an unknown name is refused where it was set.
pub(super) fn configured(folders: &Folders, config: &Config) -> Result<ReaderRules, Problem> {
    let wanted = &config.settings().play.reader;
    let names: Vec<String> = catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.problem_with("play.reader", format!("there is no reader {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    by_name(folders, wanted)
}

/// Rules by their name on the shelf, the user's own before shipped ones.
pub(super) fn by_name(folders: &Folders, name: &str) -> Result<ReaderRules, Problem> {
    parse(name, &catalog(folders).find(name)?)
}

/// Rules by their name on the shelf or by the path of their file.
pub(super) fn by_name_or_path(folders: &Folders, given: &str) -> Result<ReaderRules, Problem> {
    let path = Path::new(given);
    let is_path = given.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    match path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_path) {
        Some(name) => parse(name, &SourceFile::read(path, LIMIT)?),
        None => by_name(folders, given),
    }
}

fn parse(name: &str, sheet: &SourceFile) -> Result<ReaderRules, Problem> {
    ReaderRules::parse(name, &sheet.text).map_err(|error| {
        let problem = sheet.problem_at(error.what, error.span);
        match error.unknown_key {
            Some((given, known)) => problem.with_suggestions(&given, known),
            None => problem,
        }
    })
}
