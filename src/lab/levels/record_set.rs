//! The records of a file or folder of the user. They are found and checked once; then only their places and titles are kept,
//! and a record is read again when it is needed.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use super::recognition::{Recognition, record_files};
use mageyard_config::Problem;
use mageyard_domain::{
    EnvironmentSpec, FieldError, Level, LevelSource, RawRecord, ReadRecord, RecordFault, RecordSplitter,
    read_object,
};

/// How much of a record is kept to show an error in it.
const EXCERPT: usize = 400;
/// The size of the chunks in which a file is read, in bytes.
const CHUNK: usize = 1 << 16;

/// The records of a file or folder.
pub(super) struct RecordSet {
    pub(super) spec: &'static dyn EnvironmentSpec,
    found: Found,
}

/// What was found in files.
#[derive(Default)]
struct Found {
    files: Vec<Arc<Path>>,
    places: Vec<RecordPlace>,
    faults: Vec<SetFault>,
}

/// A record that is a level.
struct RecordPlace {
    number: usize,
    title: Option<Box<str>>,
    /// The index of its file.
    file: usize,
    start: u64,
    length: usize,
    line: usize,
    names_files: bool,
}

/// A record that cannot be a level.
struct SetFault {
    number: usize,
    file: usize,
    excerpt: Box<str>,
    fault: RecordFault,
}

/// A file that is being read.
struct Reading<'a> {
    found: &'a mut Found,
    recognition: &'a mut Recognition,
    file: usize,
    /// Why no environment reads the records.
    refusal: Option<Problem>,
}

impl RecordSet {
    /// Finds the records of a file or folder, for this environment or for the one of these that recognizes them.
    pub(super) fn open(
        environments: &'static [&'static dyn EnvironmentSpec],
        spec: Option<&'static dyn EnvironmentSpec>,
        path: &Path,
    ) -> Result<Self, Problem> {
        let mut recognition = Recognition::new(environments, spec, path);
        let files = if path.is_dir() { record_files(path)? } else { vec![path.to_owned()] };
        let mut found = Found::default();
        for file in files {
            found.read_file(&file, &mut recognition)?;
        }
        let no_records = || Problem::new("has no records").at(path, "", 0..0);
        match (recognition.known(), found.faults.first()) {
            (Some(spec), _) if !found.is_empty() => Ok(Self { spec, found }),
            (_, Some(fault)) => Err(found.problem(fault)),
            (_, None) => Err(no_records()),
        }
    }

    /// The number of records, with those that cannot be levels.
    pub(super) fn count_records(&self) -> usize {
        self.found.places.len() + self.found.faults.len()
    }

    /// The number of levels.
    pub(super) fn len(&self) -> usize {
        self.found.places.len()
    }

    /// The numbers and titles of the levels, in order.
    pub(super) fn titles(&self) -> impl Iterator<Item = (usize, Option<&str>)> {
        self.found.places.iter().map(|place| (place.number, place.title.as_deref()))
    }

    /// Reads the levels whose numbers fit.
    pub(super) fn levels(&self, fits: impl Fn(usize) -> bool) -> Result<Vec<Level>, Problem> {
        let mut open: Option<(usize, File)> = None;
        let fitting = self.found.places.iter().filter(|place| fits(place.number));
        fitting.map(|place| self.found.level(place, &mut open)).collect()
    }

    /// The records that cannot be levels and whose numbers fit, each as a problem.
    pub(super) fn problems(&self, fits: impl Fn(usize) -> bool) -> Vec<Problem> {
        let fitting = self.found.faults.iter().filter(|fault| fits(fault.number));
        fitting.map(|fault| self.found.problem(fault)).collect()
    }
}

impl Found {
    fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn read_file(&mut self, path: &Path, recognition: &mut Recognition) -> Result<(), Problem> {
        let unreadable =
            |error: std::io::Error| Problem::new(format!("cannot be read: {error}")).at(path, "", 0..0);
        self.files.push(std::path::absolute(path).map_err(unreadable)?.into());
        let file = self.files.len() - 1;
        let mut source = File::open(path).map_err(unreadable)?;
        let mut reading = Reading { found: self, recognition, file, refusal: None };
        let mut splitter = RecordSplitter::default();
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = source.read(&mut chunk).map_err(unreadable)?;
            if length == 0 {
                break;
            }
            splitter.feed(&chunk[..length], &mut |raw| reading.add(&raw));
            if let Some(problem) = reading.refusal {
                return Err(problem);
            }
        }
        splitter.finish(&mut |raw| reading.add(&raw));
        reading.refusal.map_or(Ok(()), Err)
    }

    fn level(&self, place: &RecordPlace, open: &mut Option<(usize, File)>) -> Result<Level, Problem> {
        let path = &self.files[place.file];
        let failed =
            |error: String| Problem::new(format!("cannot be read: {error}")).at(path.to_path_buf(), "", 0..0);
        if open.as_ref().is_none_or(|(file, _)| *file != place.file) {
            *open = Some((place.file, File::open(path).map_err(|error| failed(error.to_string()))?));
        }
        let mut bytes = vec![0; place.length];
        if let Some((_, file)) = open {
            file.read_exact_at(&mut bytes, place.start).map_err(|error| failed(error.to_string()))?;
        }
        let raw = RawRecord {
            start: place.start,
            length: place.length as u64,
            line: place.line,
            bytes: Some(&bytes),
        };
        let object = read_object(&raw).map_err(|fault| failed(format!("it has changed: {}", fault.error)))?;
        let record = object.text.into_owned();
        let source = if place.names_files {
            LevelSource::Record { record: record.into(), path: path.clone(), line: place.line }
        } else {
            record.into()
        };
        Ok(Level { number: place.number, title: place.title.as_deref().map(str::to_owned), source })
    }

    fn problem(&self, fault: &SetFault) -> Problem {
        fault_problem(&self.files[fault.file], fault.fault.line, &fault.excerpt, &fault.fault.error)
    }
}

impl Reading<'_> {
    fn add(&mut self, raw: &RawRecord<'_>) {
        if self.refusal.is_some() {
            return;
        }
        let found = &mut *self.found;
        let number = found.places.len() + found.faults.len() + 1;
        let fault = match self.recognition.read(raw) {
            ControlFlow::Break(problem) => {
                self.refusal = Some(problem);
                return;
            }
            ControlFlow::Continue(Err(fault)) => fault,
            ControlFlow::Continue(Ok(ReadRecord { facts, .. })) => {
                found.places.push(RecordPlace {
                    number,
                    title: facts.title.map(String::into_boxed_str),
                    file: self.file,
                    start: raw.start,
                    length: raw.bytes.map_or(0, <[u8]>::len),
                    line: raw.line,
                    names_files: !facts.files.is_empty(),
                });
                return;
            }
        };
        let record = String::from_utf8_lossy(raw.bytes.unwrap_or_default());
        let excerpt = excerpt_of(&record, fault.line - raw.line, &fault.error.field).into();
        found.faults.push(SetFault { number, file: self.file, excerpt, fault });
    }
}

/// What is wrong with a record: its field, in a line of which this is a part.
pub(super) fn fault_problem(path: &Path, line: usize, excerpt: &str, error: &FieldError) -> Problem {
    let name = format!("\"{}\"", error.field);
    let span = excerpt.find(&name).map_or(0..1, |start| start..start + name.len());
    // A place without text has no line.
    let excerpt = if excerpt.is_empty() { " " } else { excerpt };
    Problem::new(error.to_string()).in_lines(path, line - 1, excerpt, span)
}

/// The part of a record to show an error: of this line of the record, from 0, and near this field.
pub(super) fn excerpt_of(record: &str, line: usize, field: &str) -> String {
    let line = record.lines().nth(line).unwrap_or_default();
    let start = line.find(&format!("\"{field}\"")).unwrap_or(0).saturating_sub(EXCERPT / 4);
    line.char_indices()
        .filter(|(at, _)| (start..start + EXCERPT).contains(at))
        .map(|(_, char)| char)
        .collect()
}
