//! Why a session cannot be made or found.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

/// Why a session cannot be made or found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The disk did not do what was asked.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such session.
    #[error("there is no session {given:?} in {}{hint}", root.display())]
    NotFound {
        /// What was asked for.
        given: String,
        /// The store.
        root: PathBuf,
        /// The nearest names, as the end of the sentence.
        hint: String,
    },
    /// The folder holds no journal: an episode was never begun in it.
    #[error("{}: no journal is in it, so no episode was ever begun there", folder.display())]
    NoJournal {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds sessions: it is a store, and not one of them.
    #[error("{}: holds {} and is none itself", folder.display(), sessions(*count))]
    NotASession {
        /// The folder.
        folder: PathBuf,
        /// How many sessions are in it.
        count: usize,
        /// The name of the newest.
        newest: String,
    },
    /// Several sessions begin like this.
    #[error("{given:?} is the beginning of {count} sessions; write more of it")]
    Ambiguous {
        /// What was asked for.
        given: String,
        /// How many begin with it.
        count: usize,
    },
}

fn sessions(count: usize) -> String {
    if count == 1 { "1 session".to_owned() } else { format!("{count} sessions") }
}

pub(super) fn disk(path: &Path, source: io::Error) -> StoreError {
    StoreError::Disk { path: path.to_owned(), source }
}
