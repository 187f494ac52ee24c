//! Why a document cannot be read.

use thiserror::Error;

/// Why a document cannot be read. Each text follows the path of the document in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Unreadable {
    /// It is no archive, or a damaged one.
    #[error("is damaged or not an office document ({0})")]
    Archive(String),
    /// It has more parts than are read.
    #[error("has {found} parts, more than the {limit} that are read")]
    TooManyParts {
        /// How many.
        found: usize,
        /// At most.
        limit: usize,
    },
    /// A part is too large, in bytes.
    #[error("has a part {part:?} of more than {limit} bytes")]
    PartTooLarge {
        /// Its name.
        part: String,
        /// At most.
        limit: u64,
    },
    /// Its parts together are too large, in bytes.
    #[error("has parts of more than {limit} bytes together")]
    TooLarge {
        /// At most.
        limit: u64,
    },
    /// A part is compressed more than any document is.
    #[error("has a part {part:?} that is compressed to less than 1/{limit} of its size")]
    Bomb {
        /// Its name.
        part: String,
        /// At most.
        limit: u64,
    },
    /// A part is missing.
    #[error("lacks the part {0:?}")]
    Missing(String),
    /// A part cannot be read.
    #[error("has a damaged part {part:?}: {reason}")]
    Part {
        /// Its name.
        part: String,
        /// What is wrong.
        reason: String,
    },
}

impl Unreadable {
    /// A part that cannot be read.
    pub(crate) fn part(part: &str, reason: impl std::fmt::Display) -> Self {
        Self::Part {
            part: part.to_owned(),
            reason: mageyard_domain::sanitize(&reason.to_string()).into_owned(),
        }
    }
}
