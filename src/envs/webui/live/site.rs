//! Folders of pages: temporary ones, which are removed when they are dropped, or later if this program is killed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;

use super::failed;
use crate::task::file_name_error;
use mageyard_domain::EnvironmentError;

/// How their names begin.
const PREFIX: &str = "mageyard-page-";
/// A folder of this age is locked if somebody uses it.
const SETTLED: Duration = Duration::from_mins(1);

/// A folder with the files of one page.
pub(super) struct Site {
    folder: TempDir,
    /// The folder, locked as long as it is used.
    _lock: File,
    /// Without links, as the browser has it.
    path: PathBuf,
}

impl Site {
    /// Writes files into a new folder, on a thread that may block.
    pub(super) async fn create(files: Vec<(String, Vec<u8>)>) -> Result<Self, EnvironmentError> {
        let written = tokio::task::spawn_blocking(move || Self::write(&files)).await;
        written.map_err(failed)?.map_err(|error| failed(format!("a page cannot be written: {error}")))
    }

    fn write(files: &[(String, Vec<u8>)]) -> io::Result<Self> {
        static ABANDONED: Once = Once::new();
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let path = fs::canonicalize(folder.path())?;
        let lock = File::open(&path)?;
        lock.lock()?;
        ABANDONED.call_once(|| {
            if let Some(parent) = path.parent() {
                remove_abandoned(parent, SETTLED);
            }
        });
        for (name, content) in files {
            if let Some(why) = file_name_error(name) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            let file = path.join(name);
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(file, content)?;
        }
        Ok(Self { folder, _lock: lock, path })
    }

    pub(super) fn path(&self) -> &Path {
        debug_assert!(self.folder.path().is_absolute());
        &self.path
    }

    /// The address of the folder, as pages of it have it.
    pub(super) fn address(&self) -> String {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/.-_~".contains(byte);
        let encoded =
            |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
        let path: String = self.path.to_string_lossy().as_bytes().iter().map(encoded).collect();
        format!("file://{path}/")
    }
}

/// Removes the folders of pages that a killed process left here.
fn remove_abandoned(parent: &Path, settled: Duration) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let pages = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    for folder in pages.map(|entry| entry.path()).filter(|folder| is_abandoned(folder, settled)) {
        if let Err(error) = fs::remove_dir_all(&folder) {
            tracing::warn!("{} of an earlier run cannot be removed: {error}", folder.display());
        }
    }
}

/// Whether this is a folder, not a link, of this age, and no process holds its lock. Folders of other users cannot be
/// opened.
fn is_abandoned(folder: &Path, settled: Duration) -> bool {
    let Ok(data) = fs::symlink_metadata(folder) else { return false };
    let age = data.modified().ok().and_then(|changed| changed.elapsed().ok());
    data.is_dir()
        && age.is_some_and(|age| age >= settled)
        && File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folders_of_killed_processes_are_removed_and_used_ones_stay() {
        let parent = tempfile::tempdir().unwrap();
        let made = |name: &str| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("index.html"), "x").unwrap();
            folder
        };
        let [left, used, other] = ["mageyard-page-a", "mageyard-page-b", "another"].map(made);
        let linked = parent.path().join("mageyard-page-c");
        std::os::unix::fs::symlink(&other, &linked).unwrap();
        let lock = File::open(&used).unwrap();
        lock.lock().unwrap();
        remove_abandoned(parent.path(), SETTLED);
        assert!(left.exists(), "it may be new and not locked yet");
        remove_abandoned(parent.path(), Duration::ZERO);
        assert!(!left.exists() && used.exists() && other.join("index.html").exists() && linked.exists());
        drop(lock);
        remove_abandoned(parent.path(), Duration::ZERO);
        assert!(!used.exists());
    }

    #[tokio::test]
    async fn files_are_written_into_a_folder_that_ends_with_the_site() {
        let files = [("index.html", "x"), ("images/a b.svg", "y")];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).to_vec();
        let site = Site::create(files).await.unwrap();
        let folder = site.path().to_owned();
        assert_eq!(fs::read_to_string(folder.join("images/a b.svg")).unwrap(), "y");
        assert!(site.address().starts_with("file:///") && site.address().ends_with('/'));
        drop(site);
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_name_that_leaves_the_folder_is_refused() {
        for name in ["../escaped", "/tmp/escaped", "a/../../b"] {
            assert!(Site::create(vec![(name.to_owned(), Vec::new())]).await.is_err(), "{name}");
        }
    }
}
