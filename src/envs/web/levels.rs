//! Levels: tasks as records of the user's files, and the formats of files with tasks.

use mageyard_domain::{
    FieldError, FileLocation, Level, LevelError, LevelFormat, LevelFormatError, LevelRecords, RawRecord,
    RecordFacts, RecordSplitter, parse_records, read_object,
};
use serde_json::{Map, Value};

use crate::task::{Task, is_export, read_export, to_file};

/// The extensions of files with tasks, the usual one first: it is the name of the native format.
pub const EXTENSIONS: &[&str] = &["json", "jsonl", "json5"];

/// Tasks as records.
#[derive(Clone, Copy, Debug)]
pub struct Records;

impl LevelRecords for Records {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        Task::matches(record)
    }

    fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        Ok(RecordFacts { title: Some(Task::read(record)?.text), files: Vec::new() })
    }
}

/// The formats of files with tasks.
pub const FORMATS: &[LevelFormat] = &[
    LevelFormat {
        name: "json",
        summary: "tasks in the form of Mind2Web-Live",
        matches: |bytes| first_record(bytes).is_some_and(|record| Task::matches(&record)),
        read: read_tasks,
        comment: None,
        write: Some(write_tasks),
    },
    LevelFormat {
        name: "webcanvas",
        summary: "raw export of the recorder of WebCanvas",
        matches: |bytes| first_record(bytes).is_some_and(|record| is_export(&record)),
        read: read_exports,
        comment: None,
        write: None,
    },
];

fn read_tasks(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_text(error.valid_up_to()))?;
    Ok(parse_records(text, &Records)?)
}

fn not_text(byte: usize) -> LevelFormatError {
    LevelFormatError { location: FileLocation::Byte(byte), reason: "is not UTF-8 text".to_owned() }
}

fn read_exports(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let mut levels: Vec<Result<Level, LevelError>> = Vec::new();
    each_record(bytes, |piece| levels.push(export_level(piece, levels.len())));
    Ok(levels.into_iter().collect::<Result<_, _>>()?)
}

/// The level of a record of a raw export at this position, from 0.
fn export_level(piece: &RawRecord<'_>, position: usize) -> Result<Level, LevelError> {
    let fields = read_object(piece)?.fields;
    let task = read_export(&fields, position as u64);
    let task = task.map_err(|error| LevelError { line: piece.line, reason: error.to_string() })?;
    Ok(Level::from_text(position + 1, Some(&task.text), task.to_record().to_string()))
}

fn write_tasks(levels: &[Level]) -> Result<String, LevelFormatError> {
    let task = |level: &Level| {
        let location = FileLocation::Level(level.number);
        Task::of_level(level).map_err(|error| LevelFormatError { location, reason: error.to_string() })
    };
    let tasks: Vec<Task> = levels.iter().map(task).collect::<Result<_, _>>()?;
    Ok(to_file(&tasks) + "\n")
}

/// The fields of the first record of a file, if it can be read.
fn first_record(bytes: &[u8]) -> Option<Map<String, Value>> {
    let mut first = None;
    each_record(bytes, |piece| {
        if first.is_none() {
            first = Some(read_object(piece).ok().map(|record| record.fields));
        }
    });
    first.flatten()
}

/// Calls a function with each record of a file, in order.
pub(crate) fn each_record(bytes: &[u8], mut each: impl FnMut(&RawRecord<'_>)) {
    let mut each = |piece: RawRecord<'_>| each(&piece);
    let mut splitter = RecordSplitter::default();
    splitter.feed(bytes, &mut each);
    splitter.finish(&mut each);
}
