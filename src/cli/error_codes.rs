//! Maps errors of the lab, the store and journals to problems with exit codes: the only place that does.

use std::io::ErrorKind;

use super::exit::{Exit, Failure};
use mageyard_engine::{JournalError, StoreError};
use mageyard_lab::{LabError, journal_problem, store_problem};

/// A journal error with its exit code.
pub(super) fn journal_failure(error: &JournalError) -> Failure {
    let exit = match error {
        JournalError::Damaged { .. } => Exit::Mismatch,
        JournalError::Newer { .. } | JournalError::Busy { .. } => Exit::BadRequest,
        JournalError::Disk { source, .. } if source.kind() == ErrorKind::NotFound => Exit::BadRequest,
        JournalError::NotOwner { .. } | JournalError::Disk { .. } => Exit::Failed,
    };
    Failure::Problem(exit, journal_problem(error))
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
    Failure::Problem(exit, store_problem(error))
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
