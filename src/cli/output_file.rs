//! Result files of verbs: written atomically, and never overwritten without `--force`.

use std::io;
use std::io::ErrorKind;
use std::path::Path;

use super::exit::Failure;
use mageyard_config::Problem;
use mageyard_engine::AtomicFile;

/// Checks, before any work begins, that the file can be written.
pub(super) fn check_writable(path: &Path, replace: bool) -> Result<(), Problem> {
    if path.is_dir() || path.file_name().is_none() {
        let problem = Problem::new("is a folder, not a file").at(path, "", 0..0);
        return Err(problem.with_help("name a file in this folder with --out"));
    }
    let folder = parent_folder(path);
    if !folder.is_dir() {
        let problem = Problem::new("there is no such folder").at(folder, "", 0..0);
        return Err(problem.with_help("create it first, or choose another file with --out"));
    }
    if path.symlink_metadata().is_ok() && !replace {
        return Err(already_exists(path));
    }
    if is_device(path, replace) {
        return Ok(());
    }
    // Only creating a file shows whether the folder is writable.
    AtomicFile::stage(path, b"").map(drop).map_err(|error| {
        let problem = Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0);
        problem.with_help("choose another file with --out")
    })
}

/// Writes the file atomically: a temporary file in the same folder is renamed when it is complete. A device,
/// a pipe or a terminal is written to directly.
pub(super) fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), Failure> {
    let written = if is_device(path, replace) {
        std::fs::write(path, bytes)
    } else {
        check_writable(path, replace).map(|()| write_atomically(path, bytes, replace))?
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => already_exists(path).into(),
        _ => Failure::running(format!("{}: cannot be written: {error}", path.display())),
    })
}

fn is_device(path: &Path, replace: bool) -> bool {
    replace && path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn write_atomically(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    // The target of a symbolic link is replaced, not the link.
    let path =
        if replace { path.canonicalize().unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() };
    let draft = AtomicFile::stage(&path, bytes)?.synced()?;
    if replace { draft.replace() } else { draft.create_new() }.map(drop)
}

fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn already_exists(path: &Path) -> Problem {
    let help = "use --force to replace it, or choose another file with --out";
    Problem::new("already exists").at(path, "", 0..0).with_help(help)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_complete_or_absent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xsb");
        check_writable(&path, false).unwrap();
        write(&path, b"one", false).unwrap();
        assert!(check_writable(&path, false).is_err() && write(&path, b"two", false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        check_writable(&path, true).unwrap();
        write(&path, b"three", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "unchanged");
        assert!(write(folder.path(), b"", true).is_err());
        assert!(write(&folder.path().join("none/a.xsb"), b"", false).is_err());
        assert!(check_writable(Path::new("/proc/a.xsb"), false).is_err(), "a folder that cannot be written");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_link_is_kept_and_a_device_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xsb");
        let link = folder.path().join("b.xsb");
        fs::write(&path, "one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(write(&link, b"two", false).is_err());
        write(&link, b"two", true).unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&path).unwrap() == "two");
        write(Path::new("/dev/null"), b"gone", true).unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
