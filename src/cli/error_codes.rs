//! Maps errors of the lab, the store and journals to problems with exit codes: the only place that does.

use std::io::ErrorKind;
use std::path::Path;

use super::exit::{Exit, Failure};
use mageyard_config::Problem;
use mageyard_domain::shell_quote;
use mageyard_engine::{Damage, JournalError, StoreError};
use mageyard_lab::LabError;

/// A journal error with its exit code.
pub(super) fn journal_failure(error: &JournalError) -> Failure {
    let problem = Problem::new(error.to_string());
    let (exit, problem) = match error {
        JournalError::Damaged { path, damage } => {
            (Exit::Mismatch, problem.with_help(repair_help(path, damage)))
        }
        JournalError::Newer { .. } | JournalError::Busy { .. } => (Exit::BadRequest, problem),
        JournalError::Disk { source, .. } if source.kind() == ErrorKind::NotFound => {
            (Exit::BadRequest, problem)
        }
        JournalError::NotOwner { .. } => (Exit::Failed, problem),
        JournalError::Disk { source, .. } => (Exit::Failed, with_store_help(problem, source)),
    };
    Failure::Problem(exit, problem)
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

/// A store error with its exit code.
fn store_failure(error: &StoreError) -> Failure {
    let exit = match error {
        StoreError::Disk { .. } => Exit::Failed,
        StoreError::NotFound { .. }
        | StoreError::NoJournal { .. }
        | StoreError::NotASession { .. }
        | StoreError::NoBranch { .. }
        | StoreError::SeveralEpisodes { .. }
        | StoreError::Ambiguous { .. } => Exit::BadRequest,
    };
    let problem = Problem::new(error.to_string());
    if let StoreError::Disk { source, .. } = error {
        return Failure::Problem(exit, with_store_help(problem, source));
    }
    let StoreError::NotASession { folder, newest, .. } = error else {
        return Failure::Problem(exit, problem);
    };
    let store = shell_quote(&folder.to_string_lossy());
    let help =
        format!("select it with --store {store}, then name one of its sessions, such as last or {newest}");
    Failure::Problem(exit, problem.with_help(help))
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Request(problem) => Self::Problem(Exit::BadRequest, problem),
            LabError::Mismatch(problem) => Self::Problem(Exit::Mismatch, problem),
            LabError::Failed(problem) => Self::Problem(Exit::Failed, problem),
            LabError::Journal(error) => journal_failure(&error),
            LabError::Store(error) => store_failure(&error),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        journal_failure(&error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        store_failure(&error)
    }
}

#[cfg(test)]
mod tests {
    use mageyard_engine::Access;

    use super::*;

    fn help(kind: ErrorKind) -> String {
        let error = StoreError::Disk { path: "sessions".into(), access: Access::Write, source: kind.into() };
        let Failure::Problem(Exit::Failed, problem) = store_failure(&error) else { panic!("a disk error") };
        problem.to_string()
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
