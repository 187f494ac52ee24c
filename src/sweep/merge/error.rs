//! Why folders of a sweep cannot be merged.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::claims::ClaimError;
use mageyard_engine::{JournalError, StoreError};

/// Why folders of a sweep cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// The file system failed.
    #[error("{}: cannot be read or written, so it is not merged: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The folder is not one of a sweep.
    #[error("{} is not the folder of a sweep: it has no control folder .sweep", folder.display())]
    NotASweep {
        /// The folder.
        folder: PathBuf,
    },
    /// Two folders have the same cell with different episodes.
    #[error("{} and {} differ: the same cell was run twice; remove the cell from one of the folders", one.display(), other.display())]
    Differ {
        /// A file, which may be missing.
        one: PathBuf,
        /// The file of the same name in the other folder.
        other: PathBuf,
    },
    /// A file that is neither a plain file nor a folder.
    #[error("{} is neither a file nor a folder; remove it", path.display())]
    Special {
        /// Where it is.
        path: PathBuf,
    },
    /// A cell of the target has no episodes and cannot be claimed.
    #[error("the cell {cell} in {} is claimed by a worker, or has ended without episodes; `mageyard sweep status` shows it", target.display())]
    NotFree {
        /// The cell.
        cell: String,
        /// The folder.
        target: PathBuf,
    },
    /// The control folder cannot be used.
    #[error(transparent)]
    Claims(#[from] ClaimError),
    /// A journal is damaged or cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A cell cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl MergeError {
    pub(super) fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Disk { path, source }
    }
}
