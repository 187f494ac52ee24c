//! One initial state of an environment, still as text.

use thiserror::Error;

/// A level of a file or a set. Its text is whole: it can be opened again without the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its place in the file, from 1.
    pub number: usize,
    /// The title the file gives it.
    pub title: Option<String>,
    /// The level in the environment's own text format, titles and comments stripped but for those that
    /// the environment itself reads.
    pub text: String,
}

impl Level {
    /// The title, or the number where there is none.
    pub fn label(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.number.to_string())
    }
}

/// Why a level file is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct LevelError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub reason: String,
}
