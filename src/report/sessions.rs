//! The sessions that a report reads: sessions, folders of sessions, and folders of sweeps.

use std::path::{Path, PathBuf};

use mageyard_engine::{Store, StoreError};

/// The folder of sweeps in a store.
const SWEEPS: &str = "sweeps";

/// The journals of these references. Each is a session as [`Store::find`] reads it, a folder whose folders are sessions,
/// such as that of a sweep, or the name of a sweep in the store.
pub(super) fn journals(store: &Store, references: &[String]) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    for reference in references {
        found.extend(journals_of(store, reference)?);
    }
    Ok(found)
}

fn journals_of(store: &Store, reference: &str) -> Result<Vec<PathBuf>, StoreError> {
    match store.find(reference) {
        Err(StoreError::NotASession { folder, .. }) => journals_of_store(&Store::new(folder)),
        Err(StoreError::NotFound { .. }) if is_sweep(store, reference) => {
            journals_of_store(&Store::new(store.root().join(SWEEPS).join(reference)))
        }
        found => found,
    }
}

/// Whether the store has a sweep with this name. A name is one part of a path.
fn is_sweep(store: &Store, name: &str) -> bool {
    let is_name = Path::new(name).file_name().is_some_and(|part| part == name);
    is_name && store.root().join(SWEEPS).join(name).is_dir()
}

/// All journals of a store; folders without journals, such as those of control files, are left out.
fn journals_of_store(store: &Store) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    for session in store.sessions()? {
        match store.journals(&session) {
            Err(StoreError::NoJournal { .. } | StoreError::NotASession { .. }) => {}
            journals => found.extend(journals?),
        }
    }
    Ok(found)
}
