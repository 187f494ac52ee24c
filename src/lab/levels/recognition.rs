//! Which environment reads the records of a file, by their first one, and which files are made of records.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::named_files::find_inside;
use mageyard_config::Problem;
use mageyard_domain::{EnvironmentSpec, LevelRecords, RawRecord, ReadRecord, RecordFault, read_object};
use serde_json::{Map, Value};

/// How much of a file is read to see whether it is made of records, in bytes.
const BEGINNING: u64 = 1 << 10;
/// The extensions of files that should be made of records, whatever they begin with.
const EXTENSIONS: [&str; 3] = ["json", "jsonl", "json5"];
/// The most names of fields in a message.
const MOST_NAMES: usize = 8;

/// Recognizes the environment of records by the first that can be parsed.
pub(super) struct Recognition {
    environments: &'static [&'static dyn EnvironmentSpec],
    path: PathBuf,
    known: Option<(&'static dyn EnvironmentSpec, &'static dyn LevelRecords)>,
}

impl Recognition {
    /// Begins with this environment, or with none.
    pub(super) fn new(
        environments: &'static [&'static dyn EnvironmentSpec],
        spec: Option<&'static dyn EnvironmentSpec>,
        path: &Path,
    ) -> Self {
        let known = spec.and_then(|spec| Some((spec, spec.capabilities().files.records?)));
        Self { environments, path: path.to_owned(), known }
    }

    /// The environment, once it is known.
    pub(super) fn known(&self) -> Option<&'static dyn EnvironmentSpec> {
        self.known.map(|(spec, _)| spec)
    }

    /// Reads a record. Breaks if no environment, or more than one, recognizes it.
    pub(super) fn read<'a>(
        &mut self,
        raw: &RawRecord<'a>,
    ) -> ControlFlow<Problem, Result<ReadRecord<'a>, RecordFault>> {
        let object = match read_object(raw) {
            Ok(object) => object,
            Err(fault) => return ControlFlow::Continue(Err(fault)),
        };
        let records = match self.known {
            Some((_, records)) => records,
            None => match self.recognize(&object.fields) {
                Ok(found) => self.known.insert(found).1,
                Err(problem) => return ControlFlow::Break(problem),
            },
        };
        ControlFlow::Continue(object.read(raw, records))
    }

    fn recognize(
        &self,
        record: &Map<String, Value>,
    ) -> Result<(&'static dyn EnvironmentSpec, &'static dyn LevelRecords), Problem> {
        let fitting: Vec<_> = self
            .environments
            .iter()
            .filter_map(|spec| Some((*spec, spec.capabilities().files.records?)))
            .filter(|(_, records)| records.matches(record))
            .collect();
        match fitting.as_slice() {
            [one] => Ok(*one),
            [] => {
                let names: Vec<_> = record.keys().take(MOST_NAMES).map(String::as_str).collect();
                let what = format!("no environment has records with the fields {}", names.join(", "));
                Err(Problem::new(what).at(&self.path, "", 0..0))
            }
            several => {
                let name = |spec: &dyn EnvironmentSpec| format!("{}:{}", spec.name(), self.path.display());
                let names: Vec<_> = several.iter().map(|(spec, _)| name(*spec)).collect();
                let problem = Problem::new("several environments have such records").at(&self.path, "", 0..0);
                Err(problem.with_help(format!("write {}", names.join(" or "))))
            }
        }
    }
}

/// Whether a regular file is made of records, by how it begins, or should be by its extension.
pub(super) fn has_records(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    path.is_file() && (EXTENSIONS.contains(&extension) || begins_with_record(path))
}

fn begins_with_record(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    let text = String::from_utf8_lossy(&beginning);
    read.is_ok() && is_beginning_of_records(text.trim_start_matches('\u{feff}').trim_start())
}

fn is_beginning_of_records(text: &str) -> bool {
    let inner = |rest: &str| rest.trim_start().chars().next();
    let is_name = |char: char| char.is_alphabetic() || "\"'}_$/".contains(char);
    match text.split_at_checked(1) {
        Some(("{", rest)) => inner(rest).is_none_or(is_name),
        Some(("[", rest)) => inner(rest).is_none_or(|char| "{]/".contains(char)),
        Some(("/", rest)) => rest.starts_with(['/', '*']),
        _ => false,
    }
}

/// The files of a folder that are made of records, sorted by name. Hidden ones are left out.
pub(super) fn record_files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable =
        |error: std::io::Error| Problem::new(format!("cannot be read: {error}")).at(folder, "", 0..0);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        names.extend(name.to_str().filter(|name| !name.starts_with('.')).map(str::to_owned));
    }
    names.sort();
    let mut files = Vec::new();
    for name in names {
        let path = folder.join(&name);
        if has_records(&path) {
            find_inside(folder, &name).map_err(|reason| Problem::new(reason).at(&path, "", 0..0))?;
            files.push(path);
        }
    }
    if files.is_empty() {
        let problem = Problem::new("is a folder without files of levels").at(folder, "", 0..0);
        return Err(
            problem.with_help("a folder is a level set if its files are JSON, one or more records each")
        );
    }
    Ok(files)
}
