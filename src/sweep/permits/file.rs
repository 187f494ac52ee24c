//! Shared documents in a folder that all processes can write to.
//!
//! A document is the file `body.ID`; which one is present says the name of the empty file `head.ID`. Replacing a document
//! is one renaming of `head` from the exact name that was seen, so of several processes one succeeds, also on a network
//! file system without locks.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

use mageyard_agents::{SharedDocument, SharedDocuments};
use mageyard_engine::AtomicFile;

/// The document that is there before the first one.
const NONE: &str = "0";
/// How often the folder is read again if another process changes it meanwhile.
const TRIES: u32 = 50;

/// Documents in a folder.
pub(super) struct FileDocuments {
    root: PathBuf,
}

impl FileDocuments {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder of a document, which is created with its first `head` at once.
    fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.root.join(name);
        if folder.is_dir() {
            return Ok(folder);
        }
        fs::create_dir_all(&self.root)?;
        let staging = tempfile::Builder::new().prefix(".new-").tempdir_in(&self.root)?;
        fs::write(staging.path().join(head(NONE)), "")?;
        match fs::rename(staging.path(), &folder) {
            // Another process was faster: a folder that is not empty is not replaced.
            Err(_) if folder.is_dir() => Ok(folder),
            renamed => renamed.map(|()| folder),
        }
    }
}

impl SharedDocuments for FileDocuments {
    fn read(&self, name: &str) -> io::Result<SharedDocument> {
        let folder = self.folder(name)?;
        for tried in 0..TRIES {
            thread::sleep(Duration::from_micros(100) * tried);
            let Some(version) = present(&folder)? else { continue };
            if version == NONE {
                return Ok(SharedDocument { version: version.into_bytes(), content: Vec::new() });
            }
            match fs::read(folder.join(body(&version))) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                content => return Ok(SharedDocument { version: version.into_bytes(), content: content? }),
            }
        }
        let what =
            format!("{}: the shared limit has no present document; remove this folder", folder.display());
        Err(io::Error::other(what))
    }

    fn replace(&self, name: &str, version: &[u8], content: &[u8]) -> io::Result<bool> {
        let folder = self.root.join(name);
        let old = String::from_utf8_lossy(version);
        // The hasher has a random state.
        let new = format!("{:016x}", RandomState::new().hash_one(content));
        let own = folder.join(body(&new));
        AtomicFile::stage(&own, content)?.replace()?;
        let replaced = rename(&folder.join(head(&old)), &folder.join(head(&new)));
        // The document that is not present any more, or never was. One that stays does no harm.
        let _ = match &replaced {
            Ok(true) => fs::remove_file(folder.join(body(&old))),
            Ok(false) => fs::remove_file(own),
            Err(_) => Ok(()),
        };
        replaced
    }
}

/// Renames a file; whether it was there. A network file system may repeat a request whose reply was lost, and then say
/// that the file does not exist although it was renamed; so the target, whose name only this process uses, decides.
fn rename(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => to.try_exists(),
        renamed => renamed.map(|()| true),
    }
}

/// The version of the present document; `None` if it changes while the folder is read.
fn present(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        if let Some(version) = entry?.file_name().to_str().and_then(|name| name.strip_prefix("head.")) {
            return Ok(Some(version.to_owned()));
        }
    }
    Ok(None)
}

fn head(version: &str) -> String {
    format!("head.{version}")
}

fn body(version: &str) -> String {
    format!("body.{version}")
}
