//! Why an order cannot be given or read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::claims::ClaimError;

/// Why an order cannot be given or read.
#[derive(Debug, Error)]
pub enum OrderError {
    /// The file system failed.
    #[error("{}: the orders of the sweep cannot be read or written: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file in the folder of orders that is not an order, or that is missing.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// The order cannot be given: a sentence that says why, and what to do.
    #[error("{0}")]
    Refused(String),
    /// The cells cannot be read or moved.
    #[error(transparent)]
    Claims(#[from] ClaimError),
}

impl OrderError {
    /// Whether the request is wrong, and nothing has failed.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}
