//! Files as handlers of tasks read and change them, inside the sandbox.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::protocol::Change;
use crate::remove::remove_folder;

/// The largest file that is read, in bytes: 32 MiB.
pub const READ_LIMIT: u64 = 32 << 20;

/// How deep folders are copied.
const DEPTH: usize = 64;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    /// What it is.
    pub kind: FileKind,
    /// Bytes.
    pub size: u64,
    /// The twelve bits of permissions.
    pub mode: u32,
    /// Seconds since 1970 at which the content changed.
    pub modified: f64,
    /// Seconds since 1970 at which owner, permissions or content changed.
    pub changed: f64,
    /// The name of the owner, or its number.
    pub owner: String,
    /// The name of the group, or its number.
    pub group: String,
}

/// What a path can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a socket or a pipe.
    Other,
}

/// Why something was not done with a file, a process or a command.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// Nothing is at the path.
    #[error("does not exist")]
    Missing,
    /// It is a folder, or something else that is no regular file.
    #[error("is not a file")]
    NotAFile,
    /// It is larger than what is read, in bytes.
    #[error("has more than {0} bytes")]
    TooLarge(u64),
    /// The system does not allow it.
    #[error("is not allowed")]
    Denied,
    /// It took longer than its limit.
    #[error("did not end within {} s", .0.as_secs_f64())]
    TimeOut(Duration),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::PermissionDenied => Self::Denied,
            io::ErrorKind::IsADirectory => Self::NotAFile,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// Opens a regular file. A named pipe at its place is refused; without the flag it would wait for its other end for ever.
fn open(options: &mut fs::OpenOptions, path: &Path) -> Result<File, Trouble> {
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = match options.custom_flags(flags).open(path) {
        // A named pipe that is opened to write, and that has no reader.
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            return Err(Trouble::NotAFile);
        }
        opened => opened?,
    };
    if file.metadata()?.is_file() { Ok(file) } else { Err(Trouble::NotAFile) }
}

/// The bytes of a regular file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    let file = open(File::options().read(true), path)?;
    let mut bytes = Vec::new();
    file.take(READ_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > READ_LIMIT {
        return Err(Trouble::TooLarge(READ_LIMIT));
    }
    Ok(bytes)
}

/// What a path names, itself and not what a link leads to.
pub(crate) fn facts(path: &Path) -> Result<Option<FileFacts>, Trouble> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read?,
    };
    Ok(Some(FileFacts {
        kind: kind(&metadata),
        size: metadata.len(),
        mode: metadata.mode() & 0o7777,
        modified: seconds(metadata.mtime(), metadata.mtime_nsec()),
        changed: seconds(metadata.ctime(), metadata.ctime_nsec()),
        owner: name_of("/etc/passwd", metadata.uid()),
        group: name_of("/etc/group", metadata.gid()),
    }))
}

fn kind(metadata: &Metadata) -> FileKind {
    let kind = metadata.file_type();
    if kind.is_symlink() {
        FileKind::Link
    } else if kind.is_dir() {
        FileKind::Folder
    } else if kind.is_block_device() || kind.is_char_device() || kind.is_fifo() || kind.is_socket() {
        FileKind::Other
    } else {
        FileKind::File
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds of this century are exact")]
fn seconds(whole: i64, nanoseconds: i64) -> f64 {
    whole as f64 + nanoseconds as f64 / 1e9
}

/// The name of a number in a file such as `/etc/passwd`, or the number.
fn name_of(file: &str, number: u32) -> String {
    let number = number.to_string();
    let names = fs::read_to_string(file).unwrap_or_default();
    let found = names.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then(|| name.to_owned())
    });
    found.unwrap_or(number)
}

/// The names in a folder, sorted.
pub(crate) fn list(path: &Path) -> Result<Vec<String>, Trouble> {
    let mut names = fs::read_dir(path)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// Changes files.
pub(crate) fn change(change: &Change) -> Result<(), Trouble> {
    match change {
        Change::Write { path, content } => {
            let path = Path::new(path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            open(File::options().write(true).create(true).truncate(true), path)?.write_all(content)?;
        }
        Change::Folder { path } => fs::create_dir_all(path)?,
        Change::RemoveFile { path } => fs::remove_file(path)?,
        Change::RemoveFolder { path } => remove_folder(Path::new(path))?,
        Change::Move { from, to } => move_to(Path::new(from), &target(from, to))?,
        Change::Copy { from, to } => copy(Path::new(from), &target(from, to), DEPTH)?,
        Change::Mode { path, mode } => fs::set_permissions(path, fs::Permissions::from_mode(*mode))?,
    }
    Ok(())
}

/// Where something goes: into the target if that is a folder.
fn target(from: &str, to: &str) -> PathBuf {
    match Path::new(from).file_name() {
        Some(name) if Path::new(to).is_dir() => Path::new(to).join(name),
        _ => PathBuf::from(to),
    }
}

fn move_to(from: &Path, to: &Path) -> Result<(), Trouble> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            copy(from, to, DEPTH)?;
            let moved = if from.is_dir() { remove_folder(from) } else { fs::remove_file(from) };
            Ok(moved?)
        }
        renamed => Ok(renamed?),
    }
}

fn copy(from: &Path, to: &Path, depth: usize) -> Result<(), Trouble> {
    let metadata = fs::symlink_metadata(from)?;
    match kind(&metadata) {
        FileKind::File => copy_file(from, to)?,
        FileKind::Link => std::os::unix::fs::symlink(fs::read_link(from)?, to)?,
        FileKind::Folder if depth == 0 => {
            return Err(Trouble::Other(format!("has more than {DEPTH} folders in each other")));
        }
        FileKind::Folder => {
            fs::create_dir_all(to)?;
            for name in list(from)? {
                copy(&from.join(&name), &to.join(&name), depth - 1)?;
            }
        }
        FileKind::Other => return Err(Trouble::NotAFile),
    }
    Ok(())
}

/// Copies a file with its permissions. Neither end waits if a named pipe is there meanwhile.
fn copy_file(from: &Path, to: &Path) -> Result<(), Trouble> {
    let mut source = open(File::options().read(true), from)?;
    let permissions = source.metadata()?.permissions();
    let mut copy = open(File::options().write(true).create(true).truncate(true), to)?;
    io::copy(&mut source, &mut copy)?;
    Ok(copy.set_permissions(permissions)?)
}
