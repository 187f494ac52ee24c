//! Errors of the session store.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use thiserror::Error;

/// Why a session cannot be created or found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system failed.
    #[error("{}: {access}: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What was to be done with it.
        access: Access,
        /// The system's error.
        source: io::Error,
    },
    /// There is no such session.
    #[error("there is no session {given:?} in {}{hint}", root.display())]
    NotFound {
        /// What was searched for.
        given: String,
        /// The store.
        root: PathBuf,
        /// What to do, as the end of the sentence.
        hint: String,
    },
    /// The folder contains no journal.
    #[error("{} contains no journal, so no episode was started there", folder.display())]
    NoJournal {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder contains sessions: it is a store, not a session.
    #[error("{} contains {} and is not a session itself", folder.display(), sessions(*count))]
    NotASession {
        /// The folder.
        folder: PathBuf,
        /// How many sessions it contains.
        count: usize,
        /// The name of the newest.
        newest: String,
    },
    /// Several sessions have this prefix.
    #[error("{given:?} is the prefix of {count} session names; write more of the name")]
    Ambiguous {
        /// The prefix.
        given: String,
        /// How many sessions have it.
        count: usize,
    },
    /// The episode has no such branch.
    #[error("{given} has no branch b{number}; {}", branches(*count))]
    NoBranch {
        /// The episode.
        given: String,
        /// The number of the branch.
        number: u32,
        /// How many branches it has.
        count: usize,
    },
    /// A branch was named without its episode.
    #[error("{given} has {count} episodes: write which one the branch is of, such as {given}/1#b1")]
    SeveralEpisodes {
        /// The session.
        given: String,
        /// How many episodes it has.
        count: usize,
    },
    /// A process writes the journal now, so it cannot be deleted.
    #[error("{} is open in a running mageyard", journal.display())]
    InUse {
        /// The journal.
        journal: PathBuf,
    },
    /// The trash has nothing of this name.
    #[error("there is no {given:?} in the trash{}", trash_hint(*count))]
    NotInTrash {
        /// What was searched for.
        given: String,
        /// How many sessions and sweeps are in the trash.
        count: usize,
    },
    /// What was deleted cannot be restored, because its name was taken by another one.
    #[error("{} exists already", folder.display())]
    NameTaken {
        /// The name.
        name: String,
        /// The folder with this name.
        folder: PathBuf,
        /// The address in the trash.
        address: String,
    },
}

/// What was to be done with a file or folder of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Recordings were to be listed or read.
    Read,
    /// A recording was to be created or written.
    Write,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "recordings cannot be read here",
            Self::Write => "recordings cannot be stored here",
        })
    }
}

fn branches(count: usize) -> String {
    match count {
        0 => "it has none, and `mageyard fork` makes one".to_owned(),
        1 => "it has one; `mageyard fork` without a step lists it".to_owned(),
        count => format!("it has {count}; `mageyard fork` without a step lists them"),
    }
}

fn trash_hint(count: usize) -> &'static str {
    if count == 0 { ", which is empty" } else { "; `mageyard log trash` lists what is there" }
}

fn sessions(count: usize) -> String {
    if count == 1 { "1 session".to_owned() } else { format!("{count} sessions") }
}

pub(super) fn unreadable(path: &Path, source: io::Error) -> StoreError {
    StoreError::Disk { path: path.to_owned(), access: Access::Read, source }
}

pub(super) fn unwritable(path: &Path, source: io::Error) -> StoreError {
    StoreError::Disk { path: path.to_owned(), access: Access::Write, source }
}
