//! Errors of annotations.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::journal::JournalError;

/// The longest name of a tag, in characters.
pub(super) const MAX_TAG_LENGTH: usize = 40;

/// Why a step cannot be annotated, or annotations cannot be read.
#[derive(Debug, Error)]
pub enum AnnotationError {
    /// The name is not that of a tag.
    #[error(
        "{name:?} is not a tag: a tag has letters, digits, `-`, `_` and `.`, begins with a letter or a digit, and has at most {MAX_TAG_LENGTH} characters"
    )]
    InvalidTag {
        /// What was given.
        name: String,
    },
    /// The text is not a comment.
    #[error("this is not a comment: {why}")]
    InvalidComment {
        /// What is wrong with it.
        why: String,
    },
    /// The file system failed. What was there before is unchanged.
    #[error("{}: tags and comments cannot be read or written: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The journal of the step, or of an ancestor, cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file is no file that this program writes.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
