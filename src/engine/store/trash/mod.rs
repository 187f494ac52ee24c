//! The trash of a store: sessions and sweeps that were deleted, until they are restored or removed for good.
//!
//! What is deleted is renamed to `.trash/TIME/session/NAME` or `.trash/TIME/sweep/NAME` in the store, TIME being when it
//! was deleted. So nothing is copied, a name can be deleted several times, and restoring brings back the same paths.
//! Folders with a dot are no sessions, so no list, search or report reads the trash.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{StoreError, unreadable, unwritable};
use super::name::{is_timestamp, timestamp};
use super::{SWEEPS_FOLDER, Store, is_file_name, journals};
use crate::journal::{branch_journal, branch_numbers, episode_folder};
use mageyard_domain::nearest_names;

/// The folder in the store.
const TRASH_FOLDER: &str = ".trash";
/// How many journals are kept locked while their folder is moved. A process may have only so many files open.
const MAX_LOCKS: usize = 256;

/// A session or a sweep in the trash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deleted {
    /// When it was deleted, as names of sessions have it: UTC, to the millisecond.
    entry: String,
    is_sweep: bool,
    name: String,
}

impl Deleted {
    /// The name that it had, and gets again.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a sweep and not a session.
    pub fn is_sweep(&self) -> bool {
        self.is_sweep
    }

    /// Its name and when it was deleted, which no other one in the trash has.
    pub fn address(&self) -> String {
        format!("{}@{}", self.name, self.entry)
    }

    /// When it was deleted by ISO 8601, such as `2026-11-20T11:02:59Z`.
    pub fn time(&self) -> String {
        let part = |from: usize, to: usize| self.entry.get(from..to).unwrap_or_default();
        let date = format!("{}-{}-{}", part(0, 4), part(4, 6), part(6, 8));
        format!("{date}T{}:{}:{}Z", part(9, 11), part(11, 13), part(13, 15))
    }

    fn kind(&self) -> &'static str {
        kind(self.is_sweep)
    }
}

fn kind(is_sweep: bool) -> &'static str {
    if is_sweep { "sweep" } else { "session" }
}

impl Store {
    /// The folder of the session or the sweep with exactly this name, and whether it is a sweep. A session comes first.
    pub fn deletable(&self, name: &str) -> Result<(PathBuf, bool), StoreError> {
        if is_file_name(name) && !name.starts_with('.') {
            let session = self.root.join(name);
            if name != SWEEPS_FOLDER && session.is_dir() {
                return Ok((session, false));
            }
            let sweep = self.root.join(SWEEPS_FOLDER).join(name);
            if sweep.is_dir() {
                return Ok((sweep, true));
            }
        }
        let mut names = self.sessions()?;
        names.extend(self.sweeps()?);
        let near = nearest_names(name, names.iter().map(String::as_str));
        let hint = match near.as_slice() {
            [] => "; `mageyard log list` lists the whole names of sessions and sweeps".to_owned(),
            near => format!("; the nearest are {}", near.join(", ")),
        };
        Err(StoreError::NotFound { given: name.to_owned(), root: self.root.clone(), hint })
    }

    /// Moves the session or the sweep with exactly this name to the trash. `now` is the time since 1970-01-01 UTC. Refused
    /// while a process writes one of its journals.
    pub fn delete(&self, name: &str, now: Duration) -> Result<Deleted, StoreError> {
        let (folder, is_sweep) = self.deletable(name)?;
        let locks = lock_journals(&folder, is_sweep)?;
        let deleted = Deleted { entry: self.new_entry(now)?, is_sweep, name: name.to_owned() };
        let target = self.path_in_trash(&deleted)?;
        let place = target.parent().unwrap_or(&target);
        let moved = fs::create_dir(place).and_then(|()| fs::rename(&folder, &target));
        if let Err(source) = moved {
            self.remove_entry(&deleted);
            return Err(unwritable(&folder, source));
        }
        drop(locks);
        Ok(deleted)
    }

    /// What is in the trash, newest first. Files that this program did not put there are left out.
    pub fn trash(&self) -> Result<Vec<Deleted>, StoreError> {
        let root = self.trash_folder()?;
        let mut found = Vec::new();
        for entry in folder_names(&root)?.into_iter().filter(|name| is_timestamp(name)) {
            for is_sweep in [false, true] {
                let place = root.join(&entry).join(kind(is_sweep));
                let names = names_in(&place)?.into_iter();
                found.extend(names.map(|(name, _)| Deleted { entry: entry.clone(), is_sweep, name }));
            }
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        Ok(found)
    }

    /// Brings back what was deleted under this name, the newest if there are several, or what has this address. Refused if
    /// the name is taken by now.
    pub fn restore(&self, given: &str) -> Result<Deleted, StoreError> {
        let trash = self.trash()?;
        let by_address = trash.iter().find(|deleted| deleted.address() == given);
        let found = by_address.or_else(|| trash.iter().find(|deleted| deleted.name == given));
        let Some(deleted) = found else {
            return Err(StoreError::NotInTrash { given: given.to_owned(), count: trash.len() });
        };
        let parent = if deleted.is_sweep { self.root.join(SWEEPS_FOLDER) } else { self.root.clone() };
        let target = parent.join(&deleted.name);
        if target.symlink_metadata().is_ok() {
            return Err(StoreError::NameTaken {
                name: deleted.name.clone(),
                folder: target,
                address: deleted.address(),
            });
        }
        let moved =
            fs::create_dir_all(&parent).and_then(|()| fs::rename(self.path_in_trash_of(deleted), &target));
        moved.map_err(|source| unwritable(&target, source))?;
        self.remove_entry(deleted);
        Ok(deleted.clone())
    }

    /// Removes something in the trash for good. Links in it are removed, not followed.
    pub fn remove_deleted(&self, deleted: &Deleted) -> Result<(), StoreError> {
        let path = self.path_in_trash(deleted)?;
        let is_folder = path.symlink_metadata().map(|found| found.is_dir());
        let removed = is_folder
            .and_then(|is_folder| if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) });
        removed.map_err(|source| unwritable(&path, source))?;
        self.remove_entry(deleted);
        Ok(())
    }

    /// The folder of the trash, which need not exist. A link would put what is deleted somewhere else.
    fn trash_folder(&self) -> Result<PathBuf, StoreError> {
        let folder = self.root.join(TRASH_FOLDER);
        if folder.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            let source =
                io::Error::new(io::ErrorKind::NotADirectory, "the trash is not a folder; move it away");
            return Err(unwritable(&folder, source));
        }
        Ok(folder)
    }

    fn path_in_trash(&self, deleted: &Deleted) -> Result<PathBuf, StoreError> {
        self.trash_folder().map(|_| self.path_in_trash_of(deleted))
    }

    fn path_in_trash_of(&self, deleted: &Deleted) -> PathBuf {
        self.root.join(TRASH_FOLDER).join(&deleted.entry).join(deleted.kind()).join(&deleted.name)
    }

    /// Creates the folder for what is deleted now, with a name that no other one has.
    fn new_entry(&self, now: Duration) -> Result<String, StoreError> {
        let root = self.trash_folder()?;
        let failed = |source| unwritable(&root, source);
        fs::create_dir_all(&root).map_err(failed)?;
        for late in 0.. {
            let entry = timestamp(now + Duration::from_millis(late));
            match fs::create_dir(root.join(&entry)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| entry).map_err(failed),
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    /// Removes the folder of something that is in the trash no more.
    fn remove_entry(&self, deleted: &Deleted) {
        let path = self.path_in_trash_of(deleted);
        for folder in path.ancestors().skip(1).take(2) {
            // What is not empty stays, and is harmless.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Locks the journals in the folder of a session or a sweep, so that no process begins to continue one of them.
fn lock_journals(folder: &Path, is_sweep: bool) -> Result<Vec<File>, StoreError> {
    let sessions = if is_sweep {
        Store::new(folder).sessions()?.into_iter().map(|cell| folder.join(cell)).collect()
    } else {
        vec![folder.to_owned()]
    };
    let mut locks = Vec::new();
    for session in sessions {
        for journal in journals(&session)? {
            let (episode, _) = episode_folder(&journal);
            let branches = branch_numbers(episode).unwrap_or_default().into_iter().map(Some);
            for branch in std::iter::once(None).chain(branches) {
                let lock = lock(&branch_journal(episode, branch))?;
                locks.extend(lock.filter(|_| locks.len() < MAX_LOCKS));
            }
        }
    }
    Ok(locks)
}

/// Locks a journal; `None` if it does not exist, or the file system has no locks.
fn lock(journal: &Path) -> Result<Option<File>, StoreError> {
    let file = match File::open(journal) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|source| unreadable(journal, source))?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { journal: journal.to_owned() }),
        locked => Ok(locked.ok().map(|()| file)),
    }
}

/// The names of the folders in a folder, without links; none if it does not exist.
fn folder_names(path: &Path) -> Result<Vec<String>, StoreError> {
    let names = names_in(path)?.into_iter();
    Ok(names.filter(|(_, kind)| kind.is_dir()).map(|(name, _)| name).collect())
}

/// What is in a folder; nothing if it does not exist or is a link.
fn names_in(path: &Path) -> Result<Vec<(String, fs::FileType)>, StoreError> {
    let failed = |source| unreadable(path, source);
    if !path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if let Ok(name) = entry.file_name().into_string() {
            names.push((name, entry.file_type().map_err(failed)?));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests;
