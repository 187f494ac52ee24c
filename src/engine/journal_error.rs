//! What can be wrong with a journal.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::head::JOURNAL_FORMAT;

/// Why a journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The disk did not do what was asked. What was there before is still there.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process is writing this episode.
    #[error("{}: another mageyard is at this episode; leave it there first, or use `view --follow`", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A line in the middle does not fit its seal.
    #[error("{}:{}: {}", path.display(), damage.line, damage.why)]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and what.
        damage: Damage,
    },
    /// It was written by a version whose form is not known here.
    #[error("{}: journal format {found} is newer than {JOURNAL_FORMAT}, the newest this mageyard reads; use the newer program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format it has.
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

/// A last line that was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// How many bytes of it there are.
    pub bytes: usize,
}
