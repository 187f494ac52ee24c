//! Atomic file writes: the bytes go to a temporary file beside the target, which is renamed when it is complete.
//! After a kill the temporary file remains; its name begins with `.new-`.

use std::fs::{File, OpenOptions};
use std::io;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

/// A complete temporary file that does not have its final name yet. It is removed when dropped.
pub struct AtomicFile<'a> {
    path: &'a Path,
    file: NamedTempFile<File>,
}

impl<'a> AtomicFile<'a> {
    /// Writes the bytes to a temporary file in the folder of `path`, which must exist.
    pub fn stage(path: &'a Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Created like any new file, so the umask applies. `create_new` never opens an existing file or follows a link.
        let open = |draft: &Path| OpenOptions::new().write(true).create_new(true).mode(0o666).open(draft);
        let file =
            tempfile::Builder::new().prefix(".new-").make_in(folder.unwrap_or(Path::new(".")), open)?;
        file.as_file().write_all(bytes)?;
        Ok(Self { path, file })
    }

    /// Flushes the file to disk, so that it survives a power failure.
    pub fn synced(self) -> io::Result<Self> {
        self.file.as_file().sync_all()?;
        Ok(self)
    }

    /// The open file; it stays open when it gets its final name.
    pub(crate) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its final name, unless that name is taken, even by a broken link.
    pub fn create_new(self) -> io::Result<File> {
        self.file.persist_noclobber(self.path).map_err(|error| error.error)
    }

    /// Gives the file its final name and the permissions of the file it replaces. A link is replaced, not followed.
    pub fn replace(self) -> io::Result<File> {
        if let Ok(there) = self.path.symlink_metadata()
            && there.is_file()
        {
            self.file.as_file().set_permissions(there.permissions())?;
        }
        self.file.persist(self.path).map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_complete_or_missing() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        let draft = AtomicFile::stage(&path, b"one").unwrap();
        assert!(!path.exists() && names(root.path())[0].starts_with(".new-"));
        drop(draft);
        assert!(names(root.path()).is_empty());
        AtomicFile::stage(&path, b"two").unwrap().synced().unwrap().create_new().unwrap();
        let error = AtomicFile::stage(&path, b"three").unwrap().create_new().unwrap_err();
        assert_eq!(
            (error.kind(), fs::read(&path).unwrap().as_slice()),
            (io::ErrorKind::AlreadyExists, &b"two"[..])
        );
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        AtomicFile::stage(&path, b"three").unwrap().replace().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640, "as it was");
        let error = AtomicFile::stage(&root.path().join("none/a"), b"").map(drop).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(2), "the error is the system's own");
        assert_eq!(names(root.path()), ["a"], "no draft stays");
    }

    #[test]
    fn links_are_replaced_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let kept = other.path().join("kept");
        let missing = other.path().join("missing");
        fs::write(&kept, "mine").unwrap();
        for (name, target) in [("kept", &kept), ("missing", &missing)] {
            let path = root.path().join(name);
            symlink(target, &path).unwrap();
            assert!(AtomicFile::stage(&path, b"new").unwrap().create_new().is_err());
            AtomicFile::stage(&path, b"new").unwrap().replace().unwrap();
            assert!(path.symlink_metadata().unwrap().is_file());
        }
        assert_eq!((fs::read(&kept).unwrap().as_slice(), missing.exists()), (&b"mine"[..], false));
    }
}
