//! The sessions that a report reads: sessions, folders of sessions, and sweeps.

use std::collections::HashSet;
use std::path::PathBuf;

use mageyard_engine::{Store, StoreError};

/// The journals of these references, each once. Each is a session or a sweep as [`Store::find`] reads it, or a folder whose
/// folders are sessions.
pub(super) fn journals(store: &Store, references: &[String]) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for reference in references {
        for journal in journals_of(store, reference)? {
            let place = journal.canonicalize().unwrap_or_else(|_| journal.clone());
            if seen.insert(place) {
                found.push(journal);
            }
        }
    }
    Ok(found)
}

fn journals_of(store: &Store, reference: &str) -> Result<Vec<PathBuf>, StoreError> {
    match store.find(reference) {
        Err(StoreError::NotASession { folder, .. }) => Store::new(folder).all_journals(),
        found => found,
    }
}
