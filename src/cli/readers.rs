//! `readers`: the reading rules on the shelf, and one of them as a file to start from.

use std::path::Path;

use serde::Serialize;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::output::Output;
use crate::config::Config;
use crate::config::Entry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Sheet;
use crate::config::Shelf;
use crate::dialog::Rules;

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
struct Row {
    reader: String,
    about: String,
    origin: String,
    chosen: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let shelf = shelf(house.folders());
    if let Some(name) = &args.name {
        Output::open().raw(shelf.find(name)?.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let config = house.config()?;
    let chosen = &config.settings().play.reader;
    let rows: Vec<Row> = shelf.entries().into_iter().map(|entry| row(&shelf, entry, chosen)).collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object(row))?;
    } else {
        let mark = |row: &Row| if row.chosen { "*" } else { "" }.to_owned();
        let cells = |row: &Row| vec![mark(row), row.reader.clone(), row.origin.clone(), row.about.clone()];
        out.table(&rows.iter().map(cells).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn row(shelf: &Shelf, entry: Entry, chosen: &str) -> Row {
    let read = shelf.read(&entry).and_then(|sheet| parse(&entry.name, &sheet));
    let (reader, about) = match read {
        Ok(rules) => (rules.to_string(), rules.about().to_owned()),
        Err(problem) => (entry.name.clone(), problem.to_string()),
    };
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    Row { chosen: entry.name == chosen, reader, about, origin }
}

/// The shelf of reading rules.
pub(super) fn shelf(folders: &Folders) -> Shelf {
    let shipped = Rules::shipped().iter().copied();
    Shelf::new("reader", "readers", shipped, folders.readers(), &["toml"])
}

/// The rules that are set; an unknown name is refused where it was set.
pub(super) fn chosen(folders: &Folders, config: &Config) -> Result<Rules, Problem> {
    let wanted = &config.settings().play.reader;
    let names: Vec<String> = shelf(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.refuse("play.reader", format!("there is no reader {wanted}"));
        return Err(problem.known(wanted, names.iter().map(String::as_str)));
    }
    named(folders, wanted)
}

/// Rules by their name on the shelf, the user's own before shipped ones.
pub(super) fn named(folders: &Folders, name: &str) -> Result<Rules, Problem> {
    parse(name, &shelf(folders).find(name)?)
}

/// Rules by their name on the shelf or by the path of their file.
pub(super) fn find(folders: &Folders, given: &str) -> Result<Rules, Problem> {
    let path = Path::new(given);
    let is_path = given.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    match path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_path) {
        Some(name) => parse(name, &Sheet::read(path, LIMIT)?),
        None => named(folders, given),
    }
}

fn parse(name: &str, sheet: &Sheet) -> Result<Rules, Problem> {
    Rules::parse(name, &sheet.text).map_err(|error| {
        let problem = sheet.problem(error.what, error.span);
        match error.known {
            Some((given, known)) => problem.known(&given, known),
            None => problem,
        }
    })
}
