//! Python files as data: logical lines, tokens and expressions of the few forms that files of levels use. Nothing is run;
//! what else a file has is refused where it is read.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod expression;
mod literals;
mod tokens;

pub use self::expression::{Expression, statement};
pub use self::literals::{TextPlace, literals};
pub use self::tokens::{Line, Token};
use std::fmt;

pub use tokens::lines;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is not read there.
    pub reason: String,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}
