//! The facts of the sessions of a store, kept in a file of the cache folder, so that a list of many sessions reads only those
//! that are new or have changed.
//!
//! Kept are sessions whose episodes are all over. They still change by new episodes and by annotations, so each is kept
//! with the time of its folder and of its annotations. The file can be removed at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::session_facts::SessionFacts;
use super::{Lab, stored_session, unix_time};
use mageyard_config::Folders;
use mageyard_domain::Digest;
use mageyard_engine::{AtomicFile, Store, annotations_path};

/// The version of the file. Facts that are made in another way need another one.
const FORMAT: u32 = 1;
/// The largest file that is read, in bytes.
const LIMIT: u64 = 256 << 20;
/// What changed within this time before it was read may change again without another time of its folder.
const SETTLED: Duration = Duration::from_secs(2);

/// What is known of the sessions of one store.
#[derive(Debug)]
pub struct SessionIndex {
    file: PathBuf,
    store: PathBuf,
    known: BTreeMap<String, Known>,
    has_changed: bool,
}

/// A session, and what it had when it was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    facts: SessionFacts,
}

/// The times of the folder of a session and of its annotations, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    folder: i64,
    annotations: Option<(i64, u64)>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    program: String,
    store: PathBuf,
    sessions: BTreeMap<String, Known>,
}

const PROGRAM: &str = concat!("mageyard ", env!("CARGO_PKG_VERSION"));

impl SessionIndex {
    /// Reads what is kept of the sessions of this store. A file that is missing, damaged or of another version keeps
    /// nothing.
    pub fn open(folders: &Folders, store: &Store) -> Self {
        let root = std::path::absolute(store.root()).unwrap_or_else(|_| store.root().to_owned());
        let name = Digest::of(root.to_string_lossy().as_bytes());
        let file = folders.cache.join("sessions").join(format!("{name}.json"));
        let stored = read(&file)
            .ok()
            .filter(|stored| stored.format == FORMAT && stored.program == PROGRAM && stored.store == root);
        let known = stored.map(|stored| stored.sessions).unwrap_or_default();
        Self { file, store: root, known, has_changed: false }
    }

    /// Whether it is of this store.
    pub fn is_of(&self, store: &Store) -> bool {
        std::path::absolute(store.root()).is_ok_and(|root| root == self.store)
    }

    /// What was kept of this session. It may have changed since.
    pub fn kept(&self, name: &str) -> Option<&SessionFacts> {
        self.known.get(name).map(|known| &known.facts)
    }

    /// Whether this session is kept, has not changed since, and so is over. It is not read.
    pub fn is_over(&self, store: &Store, name: &str) -> bool {
        let stamp = Stamp::of(store, &store.root().join(name));
        self.known.get(name).is_some_and(|known| Some(known.stamp) == stamp && known.facts.is_over)
    }

    /// The facts of this session as it is now: those that are kept, or those of its journals; `None` if no episode was
    /// started or it cannot be read.
    pub fn facts(&mut self, lab: &Lab, store: &Store, name: &str) -> Option<SessionFacts> {
        let stamp = Stamp::of(store, &store.root().join(name));
        if let Some(known) = self.known.get(name).filter(|known| Some(known.stamp) == stamp) {
            return Some(known.facts.clone());
        }
        let session = stored_session(lab, store, name.to_owned()).ok();
        let facts = session.and_then(|session| SessionFacts::read(lab, store, &session));
        let kept = facts.as_ref().filter(|facts| facts.is_over).zip(stamp.filter(Stamp::is_settled));
        let change = match kept {
            Some((facts, stamp)) => {
                self.known.insert(name.to_owned(), Known { stamp, facts: facts.clone() });
                true
            }
            None => self.known.remove(name).is_some(),
        };
        self.has_changed |= change;
        facts
    }

    /// Writes what has changed to the file, without sessions that are not among these.
    pub fn save(&mut self, names: &[String]) -> io::Result<()> {
        let there: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let before = self.known.len();
        self.known.retain(|name, _| there.contains(name.as_str()));
        if !std::mem::take(&mut self.has_changed) && self.known.len() == before {
            return Ok(());
        }
        let stored = Stored {
            format: FORMAT,
            program: PROGRAM.to_owned(),
            store: self.store.clone(),
            sessions: self.known.clone(),
        };
        let bytes = serde_json::to_vec(&stored)?;
        fs::create_dir_all(self.file.parent().unwrap_or(Path::new(".")))?;
        AtomicFile::stage(&self.file, &bytes)?.replace().map(drop)
    }
}

impl Stamp {
    /// The times now; `None` if there is no folder.
    fn of(store: &Store, session: &Path) -> Option<Self> {
        let time =
            |found: &Metadata| found.mtime().saturating_mul(1_000_000_000).saturating_add(found.mtime_nsec());
        let annotations = annotations_path(&store.journal_path(session, 1)).metadata().ok();
        Some(Self {
            folder: time(&session.metadata().ok()?),
            annotations: annotations.map(|found| (time(&found), found.len())),
        })
    }

    /// Whether the last change is so long ago that the next one has another time.
    fn is_settled(&self) -> bool {
        let last = self.annotations.map_or(self.folder, |(time, _)| time.max(self.folder));
        let now = i64::try_from(unix_time().saturating_sub(SETTLED).as_nanos()).unwrap_or(i64::MAX);
        last < now
    }
}

fn read(file: &Path) -> io::Result<Stored> {
    if !fs::metadata(file)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(LIMIT).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

#[cfg(test)]
mod tests;
