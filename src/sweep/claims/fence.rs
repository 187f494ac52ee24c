//! Fencing: before a new owner writes, it replaces the journals of the cell by copies, so that a late write of an earlier
//! owner goes to a file without a name.
//!
//! An earlier owner may itself have stopped while it did this, and must not go on when it wakes up. So each owner makes
//! its copies in a folder of its own, `fencing/CELL.GENERATION`, and moves them from there. A later owner first takes
//! these folders away from all earlier ones: a folder that exists is renamed, and one that does not exist yet gets a file
//! in its place, so that it cannot be created. Either way the earlier owner fails.

use std::io;

use super::control::{Control, FENCING};
use super::error::ClaimError;
use super::name::Held;

/// Replaces the journals of a cell that was taken over. Fails with [`ClaimError::Lost`] if a later owner was faster.
pub(super) fn fence(control: &Control, held: &Held) -> Result<(), ClaimError> {
    (1..held.generation).try_for_each(|earlier| revoke(control, held, earlier))?;
    let own = staging(&held.cell, held.generation);
    let lost = || ClaimError::Lost { cell: held.cell.clone() };
    match control.folder.create_folder(&own) {
        // The reply to the first of two equal requests may have been lost.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(control, &own)? => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(lost()),
        created => created.map_err(|source| control.disk(&own, source))?,
    }
    match control.folder.replace_journals(&held.cell, &own) {
        // Renamed, and perhaps there is a file in its place.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(lost())
        }
        replaced => replaced.map_err(|source| control.disk(&own, source)),
    }
}

/// Takes the folder away from the owner of an earlier generation, whether it was created or not.
fn revoke(control: &Control, held: &Held, generation: u32) -> Result<(), ClaimError> {
    let path = staging(&held.cell, generation);
    match control.folder.create_empty(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => return created.map_err(|source| control.disk(&path, source)),
    }
    if !is_folder(control, &path)? {
        return Ok(());
    }
    // Several later owners may do the same, so each has a name of its own.
    match control.folder.rename(&path, &format!("{path}.{}.{}", held.worker, held.generation)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed.map_err(|source| control.disk(&path, source)),
    }
}

fn staging(cell: &str, generation: u32) -> String {
    format!("{FENCING}/{cell}.{generation}")
}

fn is_folder(control: &Control, path: &str) -> Result<bool, ClaimError> {
    control.folder.is_folder(path).map_err(|source| control.disk(path, source))
}
