//! Why cells cannot be claimed.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the control folder of a sweep cannot be read or changed.
#[derive(Debug, Error)]
pub enum ClaimError {
    /// The file system failed. Whether the operation took effect may be unknown; it can be tried again.
    #[error("{}: the claims of the cells of a sweep cannot be read or written: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A name that cannot be part of a file name.
    #[error(
        "{name:?} cannot be the name of a {kind}: use letters, digits, dashes and underscores, and no more than {}",
        if *kind == "cell" { "120" } else { "80" }
    )]
    Name {
        /// `cell` or `worker`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A file in the control folder that this program did not write.
    #[error("{}: {why}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The claim has ended: another worker has taken the cell over.
    #[error(
        "the cell {cell} is no longer claimed by this process: its lease ended and another worker took the cell over"
    )]
    Lost {
        /// The cell.
        cell: String,
    },
}

impl ClaimError {
    /// Whether another worker has the cell now.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }
}
