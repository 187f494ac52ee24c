//! Reads Python pickles without Python. A pickle is a program for a small stack machine, and the real
//! machine can be told to call anything; this one calls nothing. It accepts only the names on a list, and
//! keeps them as names; of objects it keeps the parts.
//!
//! Nothing is copied out of the file and nothing is walked recursively, so neither sharing nor nesting can
//! use much memory: every node, stack entry and memo entry costs at least one byte of the file, and their
//! numbers are limited.

mod allowed;
mod cursor;
mod machine;
mod node;
mod refused_instructions;
#[cfg(test)]
pub(super) mod tests;

pub(super) use node::{Id, Node, Pickle};

use mageyard_domain::{FileLocation, LevelFormatError};

/// Parses a pickle into nodes; an error names the byte.
pub(super) fn load(bytes: &[u8]) -> Result<Pickle<'_>, LevelFormatError> {
    machine::Machine::new(bytes).run()
}

/// Whether bytes begin like a pickle of protocol 2 or later.
pub(super) fn is_pickle(bytes: &[u8]) -> bool {
    matches!(bytes, [0x80, 2..=5, ..])
}

fn refuse<T>(byte: usize, reason: impl Into<String>) -> Result<T, LevelFormatError> {
    Err(LevelFormatError { location: FileLocation::Byte(byte), reason: reason.into() })
}
