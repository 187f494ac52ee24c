//! The level file: whole or not at all, and never over another one unasked.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;

use crate::cli::exit::Failure;
use crate::config::Problem;

/// Says before the work begins if the file could not be written at its end.
pub(super) fn writable(path: &Path, force: bool) -> Result<(), Problem> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() || path.file_name().is_none() {
        return Err(Problem::new("is a folder, not a file").at(path, "", 0..0));
    }
    if !folder.is_dir() {
        return Err(Problem::new("there is no such folder").at(folder, "", 0..0));
    }
    if path.exists() && !force { Err(taken(path)) } else { Ok(()) }
}

/// Writes a draft beside it and gives it the name at the end.
pub(super) fn write(path: &Path, force: bool, text: &str) -> Result<(), Failure> {
    let draft = draft(path);
    let named = fs::write(&draft, text).and_then(|()| {
        // Unlike a rename, a link takes no name that has an owner.
        if force { fs::rename(&draft, path) } else { fs::hard_link(&draft, path) }
    });
    let _ = fs::remove_file(&draft);
    named.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => taken(path).into(),
        _ => Failure::running(format!("{}: cannot be written: {error}", path.display())),
    })
}

fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.draft", std::process::id()))
}

fn taken(path: &Path) -> Problem {
    Problem::new("exists already").at(path, "", 0..0).help("--force writes over it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xsb");
        writable(&path, false).unwrap();
        write(&path, false, "one").unwrap();
        assert!(writable(&path, false).is_err() && write(&path, false, "two").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        writable(&path, true).unwrap();
        write(&path, true, "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert!(writable(folder.path(), true).is_err());
        assert!(writable(&folder.path().join("none/a.xsb"), false).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft stays");
    }
}
