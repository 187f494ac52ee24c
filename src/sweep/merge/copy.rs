//! Copying a cell: first beside the target, then with one renaming.

use std::fs::File;
use std::path::Path;
use std::{fs, io};

use super::compare::has_episodes;
use super::error::MergeError;

/// Copies a cell to `staged` and then renames that folder to `target`, which must have no episodes. `renew` is called
/// before each file.
pub(super) fn copy_cell(
    source: &Path,
    staged: &Path,
    target: &Path,
    renew: &dyn Fn() -> Result<(), MergeError>,
) -> Result<(), MergeError> {
    // An interrupted merge may have left a part of it.
    match fs::remove_dir_all(staged) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(MergeError::disk(staged)(error)),
        _ => {}
    }
    copy_folder(source, staged, renew)?;
    renew()?;
    if has_episodes(target)? {
        return Err(MergeError::Differ { one: target.to_owned(), other: source.to_owned() });
    }
    if target.exists() {
        // It has at most a plan, which the copy has too.
        fs::remove_dir_all(target).map_err(MergeError::disk(target))?;
    }
    fs::rename(staged, target).map_err(MergeError::disk(target))
}

fn copy_folder(
    source: &Path,
    target: &Path,
    renew: &dyn Fn() -> Result<(), MergeError>,
) -> Result<(), MergeError> {
    fs::create_dir_all(target).map_err(MergeError::disk(target))?;
    for entry in fs::read_dir(source).map_err(MergeError::disk(source))? {
        let entry = entry.map_err(MergeError::disk(source))?;
        let path = entry.path();
        let copy = target.join(entry.file_name());
        match entry.file_type().map_err(MergeError::disk(&path))? {
            kind if kind.is_dir() => copy_folder(&path, &copy, renew)?,
            kind if kind.is_file() => {
                renew()?;
                copy_file(&path, &copy)?;
            }
            _ => return Err(MergeError::Special { path }),
        }
    }
    Ok(())
}

/// Copies a file and flushes it to disk.
pub(super) fn copy_file(source: &Path, target: &Path) -> Result<(), MergeError> {
    fs::copy(source, target).map_err(MergeError::disk(source))?;
    File::open(target).and_then(|file| file.sync_all()).map_err(MergeError::disk(target))
}
