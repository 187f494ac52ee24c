//! Level formats of other programs, for import and export.

use super::LevelError;
use std::fmt;

use super::Level;

/// A format for importing and perhaps exporting levels. Parsing and writing are pure; the caller accesses
/// files.
#[derive(Clone, Copy, Debug)]
pub struct LevelFormat {
    /// The name, for flags and output.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether bytes look like this format. A guess: parsing decides. The first matching format wins.
    pub matches: fn(&[u8]) -> bool,
    /// Parses all levels of a file. One invalid level makes the file invalid.
    pub read: fn(&[u8]) -> Result<Vec<Level>, LevelFormatError>,
    /// How a comment line begins in a written file; `None` if the format has no comments.
    pub comment: Option<&'static str>,
    /// Writes levels as one file; `None` for an import-only format.
    pub write: Option<WriteLevels>,
}

/// Writes levels as the text of one file.
pub type WriteLevels = fn(&[Level]) -> Result<String, LevelFormatError>;

/// The location of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
    /// A level of a list, from 1.
    Level(usize),
}

/// An error in a file or in a list of levels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {reason}")]
pub struct LevelFormatError {
    /// The location of the error.
    pub location: FileLocation,
    /// What is wrong, and what is expected.
    pub reason: String,
}

impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Level(level) => write!(f, "level {level}"),
        }
    }
}

impl From<LevelError> for LevelFormatError {
    fn from(LevelError { line, reason }: LevelError) -> Self {
        Self { location: FileLocation::Line(line), reason }
    }
}
