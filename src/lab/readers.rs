//! The reader rules by name: shipped ones and the user's own.

use std::path::{Path, PathBuf};

use mageyard_config::{Catalog, Config, Folders, Problem, SourceFile};
use mageyard_dialog::ReaderRules;
use mageyard_domain::is_hidden;
use mageyard_engine::AtomicFile;

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

/// All rules: shipped ones in their order, then the user's own.
pub fn all_readers(folders: &Folders) -> Result<Vec<ReaderRules>, Problem> {
    let catalog = reader_catalog(folders);
    catalog.entries().iter().map(|entry| parse_reader(&entry.name, &catalog.read(entry)?)).collect()
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

/// Parses a text that is in no file yet.
pub fn parse_draft(text: &str) -> Result<ReaderRules, Problem> {
    parse_reader("draft", &SourceFile { path: PathBuf::from("draft"), text: text.into() })
}

/// Whether the name is a plain file name.
fn is_valid_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+');
    let short = (1..=100).contains(&name.len());
    short && !name.starts_with('.') && name.chars().all(|letter| plain(letter) && !is_hidden(letter))
}

/// Saves a text as a reader of the user, and returns its file. An invalid text is refused, and so is a name that is taken, unless
/// it `replaces` the user's own reader of that name.
pub fn save_reader(folders: &Folders, name: &str, text: &str, replaces: bool) -> Result<PathBuf, Problem> {
    let path = folders.readers().join(format!("{name}.toml"));
    parse_reader(name, &SourceFile { path: path.clone(), text: text.into() })?;
    if !is_valid_name(name) {
        let problem = Problem::new(format!("{name:?} cannot be the name of a reader"));
        return Err(problem.with_help("use letters, digits, - _ and ., such as mine"));
    }
    let taken = || Problem::new(format!("there is a reader {name} already")).with_help("choose another name");
    let existing = reader_catalog(folders).entries().into_iter().find(|entry| entry.name == name);
    if existing.is_some_and(|entry| !replaces || entry.path.is_none()) {
        return Err(taken());
    }
    let staged = std::fs::create_dir_all(folders.readers())
        .and_then(|()| AtomicFile::stage(&path, text.as_bytes()))
        .and_then(AtomicFile::synced);
    let written = staged.and_then(|file| if replaces { file.replace() } else { file.create_new() });
    match written {
        Ok(_) => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(taken()),
        Err(error) => Err(Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0)),
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
