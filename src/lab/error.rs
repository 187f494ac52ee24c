//! Why the lab cannot do something. The variants say whose fault it is, so that a caller can react to each kind.

use std::path::Path;

use mageyard_config::Problem;
use mageyard_engine::{JournalError, StoreError};

/// Why the lab cannot do something. Each problem carries its place and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The request, a setting or a file is wrong.
    #[error("{0}")]
    Request(#[from] Problem),
    /// A recording does not match this program: its head, its states or its replies differ.
    #[error("{0}")]
    Mismatch(Problem),
    /// It failed while running.
    #[error("{0}")]
    Failed(Problem),
    /// A journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store of sessions cannot be read or written, or has no such session.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LabError {
    /// A failure at run time, when nothing is wrong with the request.
    pub fn failed(what: impl std::fmt::Display) -> Self {
        Self::Failed(Problem::new(what.to_string()))
    }

    /// The recording at this path does not match.
    pub fn mismatch(path: &Path, what: &str) -> Self {
        Self::Mismatch(Problem::new(format!("{}: {what}", path.display())))
    }
}
