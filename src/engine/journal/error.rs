//! Errors of journals.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::head::BRANCH_FORMAT;

/// Why a journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system failed. What was there before is unchanged.
    #[error("{}: this file of a recording cannot be read or written: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another process is writing this episode.
    #[error("{}: another mageyard process is writing this episode; quit it there first, or watch it with `mageyard view --follow`", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// This process may no longer write the episode.
    #[error("{}: nothing was written: {reason}", path.display())]
    NotOwner {
        /// The file.
        path: PathBuf,
        /// Why, as a sentence.
        reason: String,
    },
    /// A line does not match its seal.
    #[error("{}:{}: {}", path.display(), damage.line, damage.why)]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and what.
        damage: Damage,
    },
    /// It was written by a newer version of the program.
    #[error("{}: journal format {found} is newer than {BRANCH_FORMAT}, the newest that this mageyard can read; use a newer mageyard", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
    },
}

/// Where a journal is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// A last line that is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Its length in bytes.
    pub bytes: usize,
}
