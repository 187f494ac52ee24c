//! The reader rules by name: shipped ones and the user's own.

use std::path::{Path, PathBuf};

use mageyard_config::{Catalog, Config, Folders, Problem, SourceFile};
use mageyard_dialog::ReaderRules;

use super::user_files;

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

/// Saves a text as a reader of the user, and returns its file. An invalid text is refused, and so is a name that is taken, unless
/// it `replaces` the user's own reader of that name.
pub fn save_reader(folders: &Folders, name: &str, text: &str, replaces: bool) -> Result<PathBuf, Problem> {
    let path = folders.readers().join(format!("{name}.toml"));
    parse_reader(name, &SourceFile { path: path.clone(), text: text.into() })?;
    if !user_files::is_valid_name(name) {
        let problem = Problem::new(format!("{name:?} cannot be the name of a reader"));
        return Err(problem.with_help("use letters, digits, - _ and ., such as mine"));
    }
    let taken = || Problem::new(format!("there is a reader {name} already")).with_help("choose another name");
    let existing = reader_catalog(folders).entries().into_iter().find(|entry| entry.name == name);
    if existing.is_some_and(|entry| !replaces || entry.path.is_none()) {
        return Err(taken());
    }
    match user_files::write(&path, text, replaces) {
        Ok(()) => Ok(path),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_saved_under_a_name_of_its_own() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let text = ReaderRules::shipped().iter().find(|row| row.0 == "strict").unwrap().1;
        let why = |name: &str, text: &str, replaces| {
            save_reader(&folders, name, text, replaces).unwrap_err().to_string()
        };
        assert!(
            why("mine", "version = ", false).contains("mine.toml:1"),
            "{}",
            why("mine", "version = ", false)
        );
        for name in ["", "../mine", "a/b", ".mine", "a\u{202e}b"] {
            assert!(why(name, text, false).contains("cannot be the name"), "{name}");
        }
        assert!(why("strict", text, true).contains("already"), "a shipped one stays");
        let path = save_reader(&folders, "mine", text, false).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert!(why("mine", text, false).contains("already"));
        let changed = format!("{text}\n# mine\n");
        save_reader(&folders, "mine", &changed, true).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
        assert!(all_readers(&folders).unwrap().iter().any(|rules| rules.to_string() == "mine/1"));
        std::fs::write(&path, "nonsense = 1").unwrap();
        assert!(all_readers(&folders).is_err(), "a wrong file is said, not left out");
    }
}
