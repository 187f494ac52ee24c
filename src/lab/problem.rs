//! Errors as problems: the message, and what to do about it.

use std::io;
use std::io::ErrorKind;
use std::path::Path;

use mageyard_config::Problem;
use mageyard_domain::shell_quote;
use mageyard_engine::{Damage, JournalError, StoreError};

use crate::LabError;

impl LabError {
    /// The problem to show.
    pub fn into_problem(self) -> Problem {
        match self {
            Self::Request(problem) | Self::Mismatch(problem) | Self::Failed(problem) => problem,
            Self::Journal(error) => journal_problem(&error),
            Self::Store(error) => store_problem(&error),
        }
    }
}

/// The problem of a journal.
pub fn journal_problem(error: &JournalError) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        JournalError::Damaged { path, damage } => problem.with_help(repair_help(path, damage)),
        JournalError::Disk { source, .. } if source.kind() != ErrorKind::NotFound => {
            with_store_help(problem, source)
        }
        _ => problem,
    }
}

/// What to do about a damaged journal.
fn repair_help(path: &Path, damage: &Damage) -> String {
    if damage.line == 1 {
        return "its first line is damaged, so nothing of it can be recovered".to_owned();
    }
    let path = shell_quote(&path.to_string_lossy());
    format!(
        "`mageyard log check --repair {path}` writes the intact part to a new file, which `run --resume` and `view` accept"
    )
}

/// The problem of a store of sessions.
pub fn store_problem(error: &StoreError) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        StoreError::Disk { source, .. } => with_store_help(problem, source),
        StoreError::NotASession { folder, newest, .. } => {
            let store = shell_quote(&folder.to_string_lossy());
            problem.with_help(format!(
                "select it with --store {store}, then name one of its sessions, such as last or {newest}"
            ))
        }
        _ => problem,
    }
}

/// The problem, with another way if the store cannot be written.
fn with_store_help(problem: Problem, source: &io::Error) -> Problem {
    match source.kind() {
        ErrorKind::PermissionDenied
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::NotFound
        | ErrorKind::NotADirectory => {
            problem.with_help("choose another folder with --store FOLDER or the store.folder setting")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => problem.with_help(
            "free space there, or choose another folder with --store FOLDER or the store.folder setting",
        ),
        _ => problem,
    }
}
