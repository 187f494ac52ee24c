//! Formats of other programs: how levels come in from them and go out to them, a row each.

use std::fmt;

use super::Level;

/// A format that levels are imported from, and perhaps exported to. Reading and writing are pure:
/// files are somebody else's.
#[derive(Clone, Copy, Debug)]
pub struct LevelFormat {
    /// Its name, such as `boxoban`.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Whether bytes look like it. It may be wrong: reading decides. Of several rows the first counts.
    pub matches: fn(&[u8]) -> bool,
    /// Reads all levels of a file; one bad level refuses the file.
    pub read: fn(&[u8]) -> Result<Vec<Level>, LevelFormatError>,
    /// Writes levels as one file; `None` for a format that is only read.
    pub write: Option<WriteLevels>,
}

/// Writes levels as the text of one file.
pub type WriteLevels = fn(&[Level]) -> Result<String, LevelFormatError>;

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
    /// A level of a list, from 1.
    Level(usize),
}

/// Why a file or a list of levels is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spot}: {reason}")]
pub struct LevelFormatError {
    /// Where.
    pub spot: FileLocation,
    /// What is wrong and what would be right.
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
