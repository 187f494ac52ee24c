//! Taking a session over from a process that may have stopped without closing its journals.

use std::fs::File;
use std::path::Path;
use std::{fs, io};

use super::error::{StoreError, unwritable};
use super::{Store, error, journals};
use crate::journal::{JournalError, read_journal_tail};

impl Store {
    /// Replaces every journal of a session that may be unfinished by a copy of itself. A process that still has the old
    /// file open, and its lock, then writes to a file without a name. Returns how many were replaced.
    ///
    /// Each copy is made in the folder `staging`, which must be on the same file system, and moved from there. So a
    /// process that renames this folder stops a replacement that has not happened yet; it then fails with `NotFound`.
    pub fn replace_unfinished_journals(&self, session: &Path, staging: &Path) -> Result<usize, StoreError> {
        let mut replaced = 0;
        for journal in journals(session)? {
            let tail = read_journal_tail(&journal).map_err(|error| unreadable(&journal, error))?;
            // A journal of which the last event ends every episode gets no more lines.
            if tail.is_none_or(|tail| tail.torn || !tail.is_final) {
                let copy = staging.join(replaced.to_string());
                replace_by_copy(&journal, &copy).map_err(|source| unwritable(&journal, source))?;
                replaced += 1;
            }
        }
        Ok(replaced)
    }
}

fn unreadable(journal: &Path, error: JournalError) -> StoreError {
    match error {
        JournalError::Disk { path, source } => error::unreadable(&path, source),
        other => error::unreadable(journal, io::Error::other(other)),
    }
}

fn replace_by_copy(journal: &Path, copy: &Path) -> io::Result<()> {
    fs::copy(journal, copy)?;
    File::open(copy)?.sync_all()?;
    fs::rename(copy, journal)
}
