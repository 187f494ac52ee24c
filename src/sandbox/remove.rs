//! Removes a folder of any depth: neither the stack nor the open files grow with it, and no path gets too long.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, chmod, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

/// Removes a folder with everything in it. What is missing already is passed over, and links are not followed.
///
/// A folder inside that is not empty is moved to the top, and emptied from there.
///
/// # Errors
/// Something could not be removed; the rest is.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    let top = open(CWD, path)?;
    let mut moved = 0;
    let mut failure = None;
    loop {
        let mut removed = false;
        for (name, is_folder) in entries(top.as_fd())? {
            let result = if is_folder {
                remove_at_top(top.as_fd(), &name, &mut moved)
            } else {
                remove(top.as_fd(), &name, AtFlags::empty())
            };
            match result {
                Ok(()) => removed = true,
                Err(error) => failure = Some(error),
            }
        }
        if !removed {
            break;
        }
    }
    remove(CWD, path, AtFlags::REMOVEDIR).map_err(|error| failure.unwrap_or(error))
}

/// Opens a folder whose permissions must not keep its owner out.
fn open(parent: BorrowedFd<'_>, name: impl Arg + Copy) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => unlock(parent, name)?,
        opened => return Ok(opened?),
    }
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// Gives a folder all permissions of its owner. A program may put a link in its place meanwhile: what was opened is changed.
fn unlock(parent: BorrowedFd<'_>, name: impl Arg) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    Ok(chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)?)
}

/// Removes a folder at the top. Those in it that are not empty are at the top then, named by the number.
fn remove_at_top(top: BorrowedFd<'_>, name: &CString, moved: &mut u64) -> io::Result<()> {
    let folder = open(top, name)?;
    for (inner, is_folder) in entries(folder.as_fd())? {
        if !is_folder {
            remove(folder.as_fd(), &inner, AtFlags::empty())?;
        } else if unlinkat(&folder, &inner, AtFlags::REMOVEDIR).is_err() {
            move_to_top(folder.as_fd(), &inner, top, moved)?;
        }
    }
    remove(top, name, AtFlags::REMOVEDIR)
}

fn move_to_top(
    folder: BorrowedFd<'_>,
    name: &CString,
    top: BorrowedFd<'_>,
    moved: &mut u64,
) -> io::Result<()> {
    let mut unlocked = false;
    loop {
        *moved += 1;
        match renameat(folder, name, top, format!("moved-{moved}")) {
            // The name is taken.
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            // A folder is moved by those who may write into it.
            Err(Errno::ACCESS) if !unlocked => {
                unlocked = true;
                unlock(folder, name)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn remove(folder: BorrowedFd<'_>, name: impl Arg, flags: AtFlags) -> io::Result<()> {
    match unlinkat(folder, name, flags) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What is in a folder, and whether it is a folder.
fn entries(folder: BorrowedFd<'_>) -> io::Result<Vec<(CString, bool)>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode)),
            kind => kind,
        };
        found.push((name.to_owned(), kind == FileType::Directory));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// Makes folders in each other without a path of their length.
    fn nest(at: &Path, depth: usize) {
        let mut folder = open(CWD, at).unwrap();
        for _ in 0..depth {
            rustix::fs::mkdirat(&folder, "moved-1", Mode::RWXU).unwrap();
            folder = open(folder.as_fd(), "moved-1").unwrap();
        }
    }

    #[test]
    fn a_folder_of_any_depth_is_removed_and_links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let (folder, outside) = (root.path().join("folder"), root.path().join("outside"));
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        fs::write(folder.join("a/b/file"), "x").unwrap();
        fs::write(folder.join("moved-2"), "x").unwrap();
        symlink(&outside, folder.join("a/link")).unwrap();
        nest(&folder, 1_000);
        nest(&folder.join("a/b"), 3);
        for closed in ["a/b", "a"] {
            fs::set_permissions(folder.join(closed), fs::Permissions::from_mode(0o0)).unwrap();
        }
        remove_folder(&folder).unwrap();
        assert!(!folder.exists());
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "x");
        assert_eq!(remove_folder(&folder).unwrap_err().kind(), io::ErrorKind::NotFound);
        symlink(&outside, &folder).unwrap();
        assert!(remove_folder(&folder).is_err(), "a link is not a folder");
        assert!(outside.join("kept").exists());
    }
}
