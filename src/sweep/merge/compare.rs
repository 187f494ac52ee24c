//! Comparing the same cell in two folders, and checking its journals.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::error::MergeError;
use mageyard_engine::{JournalError, Store, StoreError, check_journal};

/// The journals of a cell, in order.
fn journals(cell: &Path) -> Result<Vec<PathBuf>, MergeError> {
    let (Some(store), Some(name)) = (cell.parent(), cell.file_name().and_then(|name| name.to_str())) else {
        return Ok(Vec::new());
    };
    match Store::new(store).journals(name) {
        Err(StoreError::NoJournal { .. }) => Ok(Vec::new()),
        journals => Ok(journals?),
    }
}

/// Whether an episode of the cell was begun.
pub(super) fn has_episodes(cell: &Path) -> Result<bool, MergeError> {
    Ok(!journals(cell)?.is_empty())
}

/// Checks the seals of all journals of a cell and returns their number. An incomplete last line is no damage.
pub(super) fn verify_journals(cell: &Path) -> Result<usize, MergeError> {
    let journals = journals(cell)?;
    for path in &journals {
        if let Some(damage) = check_journal(path)?.damage {
            return Err(JournalError::Damaged { path: path.clone(), damage }.into());
        }
    }
    Ok(journals.len())
}

/// Fails with the names of both files if the journals of a cell differ between two folders.
pub(super) fn compare_cells(one: &Path, other: &Path) -> Result<(), MergeError> {
    let names = |cell: &Path| -> Result<BTreeSet<PathBuf>, MergeError> {
        let journals = journals(cell)?.into_iter();
        Ok(journals.filter_map(|path| Some(path.strip_prefix(cell).ok()?.to_owned())).collect())
    };
    for name in names(one)?.union(&names(other)?) {
        let one = one.join(name);
        let other = other.join(name);
        let equal =
            one.is_file() && other.is_file() && equal_files(&one, &other).map_err(MergeError::disk(&one))?;
        if !equal {
            return Err(MergeError::Differ { one, other });
        }
    }
    Ok(())
}

fn equal_files(one: &Path, other: &Path) -> io::Result<bool> {
    let mut one = BufReader::new(File::open(one)?);
    let mut other = BufReader::new(File::open(other)?);
    loop {
        let left = one.fill_buf()?;
        let right = other.fill_buf()?;
        let length = left.len().min(right.len());
        if left[..length] != right[..length] || (length == 0 && left.len() != right.len()) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        one.consume(length);
        other.consume(length);
    }
}
