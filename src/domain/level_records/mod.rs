//! Levels that are records: JSON objects in a file of the user, in any of the forms that data sets come in, which may name
//! files such as pictures. Reading files is not here.

mod json5;
mod read;
mod splitter;

use serde_json::{Map, Value};

pub use self::json5::read_json5;
pub use self::read::{ReadRecord, RecordFault, RecordText, parse_records, read_object, record_errors};
use self::splitter::RECORD_LIMIT;
pub use self::splitter::{RawRecord, RecordSplitter};

/// An environment whose levels are records.
pub trait LevelRecords: Send + Sync {
    /// Whether a file whose first record is this one has levels of the environment, by the names of its fields.
    fn matches(&self, record: &Map<String, Value>) -> bool;
    /// What a record says, or its first wrong field.
    fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError>;
}

/// What the program needs to know of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordFacts {
    /// The title of the level.
    pub title: Option<String>,
    /// The files that it names, in order.
    pub files: Vec<NamedFile>,
}

/// A file that a record names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The field, such as `image` or `actions[2].obs_before`.
    pub field: String,
    /// The path as written, relative to the folder of the record or to a folder of pictures in it.
    pub path: String,
    /// What the file must be.
    pub form: NamedForm,
}

/// What a named file must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedForm {
    /// A picture in PNG or JPEG, with its width and height if the record says them.
    Picture {
        /// The width and height in pixels as written.
        size: Option<(u32, u32)>,
    },
    /// Any file.
    Any,
}

/// A wrong field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field, such as `bbox` or `actions[2].operation`; empty if the record as a whole is wrong.
    pub field: String,
    /// What is wrong, and what is expected.
    pub reason: String,
}

impl FieldError {
    /// A wrong field.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}

impl std::fmt::Display for FieldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.field.as_str() {
            "" => f.write_str(&self.reason),
            field => write!(f, "{field}: {}", self.reason),
        }
    }
}
