//! The control folder: the few operations on files that the protocol needs, and the folder on disk.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use mageyard_engine::{AtomicFile, Store, StoreError};

/// The largest file that is read, in bytes.
const LIMIT: u64 = 1 << 16;

/// Operations on the files of a control folder. Paths are relative to it: `SUBFOLDER/NAME`, or `NAME`.
///
/// A renaming is atomic: of several at once with the same source exactly one succeeds, and the others get `NotFound`.
pub trait ControlFolder: Send + Sync {
    /// Where it is, for messages.
    fn root(&self) -> &Path;
    /// The names in a subfolder in any order, without those that begin with a dot.
    fn list(&self, subfolder: &str) -> io::Result<Vec<String>>;
    /// Creates an empty file; `AlreadyExists` if the name is taken.
    fn create_empty(&self, path: &str) -> io::Result<()>;
    /// Creates a file with this content at once; `AlreadyExists` if the name is taken.
    fn create_new(&self, path: &str, content: &[u8]) -> io::Result<()>;
    /// Replaces or creates a file with this content at once.
    fn replace(&self, path: &str, content: &[u8]) -> io::Result<()>;
    /// Renames a file; `NotFound` if it does not exist.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Whether there is a file.
    fn exists(&self, path: &str) -> io::Result<bool>;
    /// The content of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Creates a folder; `AlreadyExists` if the name is taken.
    fn create_folder(&self, path: &str) -> io::Result<()>;
    /// Whether this is a folder.
    fn is_folder(&self, path: &str) -> io::Result<bool>;
    /// Replaces the unfinished journals of a cell by copies, which are made in this folder and moved from there.
    /// `NotFound` if the folder is renamed before the last one is moved.
    fn replace_journals(&self, cell: &str, staging: &str) -> io::Result<()>;
    /// Makes the names in a subfolder survive a power failure.
    fn sync(&self, subfolder: &str) -> io::Result<()>;
}

/// A control folder on disk, in the folder of its sweep.
#[derive(Clone, Debug)]
pub struct DiskFolder {
    root: PathBuf,
}

impl DiskFolder {
    /// The control folder at this path, which is created with these subfolders if necessary.
    pub fn create(root: impl Into<PathBuf>, subfolders: &[&str]) -> io::Result<Self> {
        let root = root.into();
        subfolders.iter().try_for_each(|name| fs::create_dir_all(root.join(name)))?;
        Ok(Self { root })
    }

    /// The control folder at this path, which is only read.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl ControlFolder for DiskFolder {
    fn root(&self) -> &Path {
        &self.root
    }

    fn list(&self, subfolder: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.root.join(subfolder))? {
            let name = entry?.file_name();
            // A name that is not UTF-8 is none of this program's; its readable form is refused as such.
            let name = name.to_string_lossy();
            if !name.starts_with('.') {
                names.push(name.into_owned());
            }
        }
        Ok(names)
    }

    fn create_empty(&self, path: &str) -> io::Result<()> {
        OpenOptions::new().write(true).create_new(true).open(self.root.join(path)).map(drop)
    }

    fn create_new(&self, path: &str, content: &[u8]) -> io::Result<()> {
        AtomicFile::stage(&self.root.join(path), content)?.create_new().map(drop)
    }

    fn replace(&self, path: &str, content: &[u8]) -> io::Result<()> {
        AtomicFile::stage(&self.root.join(path), content)?.synced()?.replace().map(drop)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.root.join(from), self.root.join(to))
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        match self.root.join(path).symlink_metadata() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let path = self.root.join(path);
        // A pipe or device could block for ever.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        File::open(path)?.take(LIMIT).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.root.join(path))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        fs::create_dir(self.root.join(path))
    }

    fn is_folder(&self, path: &str) -> io::Result<bool> {
        match self.root.join(path).symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            found => found.map(|found| found.is_dir()),
        }
    }

    fn replace_journals(&self, cell: &str, staging: &str) -> io::Result<()> {
        let sweep = self.root.parent().unwrap_or(&self.root);
        let replaced =
            Store::new(sweep).replace_unfinished_journals(&sweep.join(cell), &self.root.join(staging));
        replaced.map(drop).map_err(|error| match error {
            StoreError::Disk { source, .. } => source,
            error => io::Error::other(error),
        })
    }

    fn sync(&self, subfolder: &str) -> io::Result<()> {
        File::open(self.root.join(subfolder))?.sync_all()
    }
}
