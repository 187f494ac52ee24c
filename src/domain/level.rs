//! A level: one initial state of an environment, as text.

use thiserror::Error;

/// A level of a file or set. Its text is complete: the level opens without the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The position in the file, from 1.
    pub number: usize,
    /// The title in the file.
    pub title: Option<String>,
    /// The level in the environment's text format, without titles and comments that the environment does not
    /// parse.
    pub text: String,
}

impl Level {
    /// The title, or the number if there is none.
    pub fn label(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.number.to_string())
    }
}

/// Titles, authors and comments of a level file, which do not affect play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileNotes {
    /// Lines about the whole collection, such as `Title: …` or `Author: …`.
    pub collection: Vec<String>,
    /// Lines about each level.
    pub levels: Vec<Vec<String>>,
}

/// An error in a level file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct LevelError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub reason: String,
}
