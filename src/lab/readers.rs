//! The reader rules by name: shipped ones and the user's own.

use std::path::Path;

use mageyard_config::{Catalog, Config, Folders, Problem, SourceFile};
use mageyard_dialog::ReaderRules;

/// The size limit of a reader file, in bytes.
const LIMIT: u64 = 1 << 20;

/// The readers: shipped ones and the user's own.
pub fn reader_catalog(folders: &Folders) -> Catalog {
    let shipped = ReaderRules::shipped().iter().copied();
    Catalog::new("reader", "readers", shipped, folders.readers(), &["toml"])
        .earlier_names(ReaderRules::earlier_names())
}

/// The configured rules; an unknown name is reported at the place where it was set.
pub fn configured_reader(folders: &Folders, config: &Config) -> Result<ReaderRules, Problem> {
    let wanted = &config.settings().play.reader;
    let catalog = reader_catalog(folders);
    let names: Vec<String> = catalog.entries().into_iter().map(|entry| entry.name).collect();
    if !names.iter().any(|name| name == catalog.name_now(wanted)) {
        let problem = config.problem_with("play.reader", format!("there is no reader {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    reader(folders, wanted)
}

/// Rules by name; the user's own take precedence over shipped ones.
pub fn reader(folders: &Folders, name: &str) -> Result<ReaderRules, Problem> {
    let catalog = reader_catalog(folders);
    parse_reader(catalog.name_now(name), &catalog.find(name)?)
}

/// Rules by name, or by the path of their file.
pub fn reader_by_name_or_path(folders: &Folders, given: &str) -> Result<ReaderRules, Problem> {
    let path = Path::new(given);
    let is_path = given.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    match path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_path) {
        Some(name) => parse_reader(name, &SourceFile::read(path, LIMIT)?),
        None => reader(folders, given),
    }
}

/// Parses the rules in a file.
pub fn parse_reader(name: &str, file: &SourceFile) -> Result<ReaderRules, Problem> {
    ReaderRules::parse(name, &file.text).map_err(|error| {
        let problem = file.problem_at(error.message, error.span);
        match error.unknown_key {
            Some((given, known)) => problem.with_suggestions(&given, known),
            None => problem,
        }
    })
}
