//! Folders of pages: temporary ones, which are removed when they are dropped.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;

use super::failed;
use crate::domain::EnvironmentError;
use crate::envs::webui::task::file_name_error;

/// A folder with the files of one page.
pub(super) struct Site {
    folder: TempDir,
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
        let folder = tempfile::Builder::new().prefix("mageyard-page-").tempdir()?;
        let path = fs::canonicalize(folder.path())?;
        for (name, content) in files {
            if let Some(why) = file_name_error(name) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            let file = path.join(name);
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(file, content)?;
        }
        Ok(Self { folder, path })
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

#[cfg(test)]
mod tests {
    use super::*;

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
