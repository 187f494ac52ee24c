//! Why the lab cannot do something. The variants say whose fault it is, so that a caller can react to each kind.

use std::io::ErrorKind;
use std::path::Path;

use mageyard_config::Problem;
use mageyard_domain::shell_quote;
use mageyard_engine::{Damage, JournalError, StoreError};

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

impl From<LabError> for Problem {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Request(problem) | LabError::Mismatch(problem) | LabError::Failed(problem) => problem,
            LabError::Journal(error) => journal_problem(&error),
            LabError::Store(error) => store_problem(&error),
        }
    }
}

/// What is wrong with a journal, and what to do.
pub fn journal_problem(error: &JournalError) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        JournalError::Damaged { path, damage } => problem.with_help(repair_help(path, damage)),
        JournalError::Disk { source, .. } if source.kind() == ErrorKind::NotFound => problem,
        JournalError::Disk { source, .. } => with_store_help(problem, source),
        JournalError::Newer { .. } | JournalError::Busy { .. } | JournalError::NotOwner { .. } => problem,
    }
}

/// What is wrong with the store, and what to do.
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
        StoreError::InUse { .. } => {
            problem.with_help("leave it first (q on its screen, or Ctrl-C where it runs), then delete it")
        }
        StoreError::NameTaken { name, address, .. } => problem.with_help(format!(
            "rename that folder, or move it to the trash too: `mageyard log delete {}`, then `mageyard log restore {}`",
            shell_quote(name),
            shell_quote(address)
        )),
        StoreError::NotInTrash { .. }
        | StoreError::NotFound { .. }
        | StoreError::NoJournal { .. }
        | StoreError::NoBranch { .. }
        | StoreError::SeveralEpisodes { .. }
        | StoreError::Ambiguous { .. } => problem,
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

/// The problem, with another way if the store cannot be written.
fn with_store_help(problem: Problem, source: &std::io::Error) -> Problem {
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

#[cfg(test)]
mod tests {
    use mageyard_engine::Access;

    use super::*;

    fn help(kind: ErrorKind) -> String {
        let error = StoreError::Disk { path: "sessions".into(), access: Access::Write, source: kind.into() };
        Problem::from(LabError::from(error)).to_string()
    }

    #[test]
    fn a_store_that_cannot_be_written_names_the_flag_for_another() {
        for kind in [ErrorKind::PermissionDenied, ErrorKind::NotADirectory, ErrorKind::NotFound] {
            let said = help(kind);
            assert!(said.contains("recordings cannot be stored here"), "{said}");
            assert!(said.contains("choose another folder with --store FOLDER"), "{said}");
        }
        assert!(help(ErrorKind::StorageFull).contains("free space there, or choose another folder"));
    }
}
