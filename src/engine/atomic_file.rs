//! A file that is there whole or not at all: a draft beside its place, which takes the name when nothing is missing.
//! What a kill leaves of one has a name of its own, which begins with `.new-`.

use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

/// A file that is written and has no name yet. It is gone when it is dropped.
pub(crate) struct AtomicFile<'a> {
    path: &'a Path,
    file: NamedTempFile<File>,
}

impl<'a> AtomicFile<'a> {
    /// A draft of the file at this path. Its folder must be there.
    pub(crate) fn stage(path: &'a Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // As of any new file: what the user takes away is taken away. What stands there is never opened, nor where
        // a link leads.
        let open = |draft: &Path| OpenOptions::new().write(true).create_new(true).mode(0o666).open(draft);
        let file =
            tempfile::Builder::new().prefix(".new-").make_in(folder.unwrap_or(Path::new(".")), open)?;
        file.as_file().write_all(bytes)?;
        Ok(Self { path, file })
    }

    /// Waits until it would survive a loss of power.
    pub(crate) fn synced(self) -> io::Result<Self> {
        self.file.as_file().sync_all()?;
        Ok(self)
    }

    /// Its file, which stays open when it takes the name.
    pub(crate) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Takes the name, if nothing else has it: a link that leads nowhere has it too.
    pub(crate) fn create_new(self) -> io::Result<File> {
        self.file.persist_noclobber(self.path).map_err(|error| error.error)
    }

    /// Takes the name and the permissions of the file that had it. A link is replaced, and not what it leads to.
    pub(crate) fn replace(self) -> io::Result<File> {
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
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::fs::symlink;

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
    fn a_file_is_whole_or_not_there() {
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
    fn links_lead_nowhere() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (kept, missing) = (other.path().join("kept"), other.path().join("missing"));
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
