//! Maps errors of the lab, the store and journals to exit codes: the only place that does.

use std::io::ErrorKind;

use super::exit::{Exit, Failure};
use mageyard_config::Problem;
use mageyard_engine::{JournalError, StoreError};
use mageyard_lab::{LabError, journal_problem, store_problem};

/// A journal error with its exit code.
pub(super) fn journal_failure(error: &JournalError) -> Failure {
    Failure::Problem(journal_exit(error), journal_problem(error))
}

fn journal_exit(error: &JournalError) -> Exit {
    match error {
        JournalError::Damaged { .. } => Exit::Mismatch,
        JournalError::Newer { .. } | JournalError::Busy { .. } => Exit::BadRequest,
        JournalError::Disk { source, .. } if source.kind() == ErrorKind::NotFound => Exit::BadRequest,
        JournalError::NotOwner { .. } | JournalError::Disk { .. } => Exit::Failed,
    }
}

fn store_exit(error: &StoreError) -> Exit {
    match error {
        StoreError::Disk { .. } => Exit::Failed,
        StoreError::InUse { .. }
        | StoreError::NotInTrash { .. }
        | StoreError::NameTaken { .. }
        | StoreError::NotFound { .. }
        | StoreError::NoJournal { .. }
        | StoreError::NotASession { .. }
        | StoreError::NoBranch { .. }
        | StoreError::SeveralEpisodes { .. }
        | StoreError::Ambiguous { .. } => Exit::BadRequest,
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        let exit = match &error {
            LabError::Request(_) => Exit::BadRequest,
            LabError::Mismatch(_) => Exit::Mismatch,
            LabError::Failed(_) => Exit::Failed,
            LabError::Journal(error) => journal_exit(error),
            LabError::Store(error) => store_exit(error),
        };
        Self::Problem(exit, Problem::from(error))
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        journal_failure(&error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Problem(store_exit(&error), store_problem(&error))
    }
}
