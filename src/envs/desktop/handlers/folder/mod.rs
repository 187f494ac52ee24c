//! A folder of this machine as a computer: its files are judged without an agent. It has no processes and runs no
//! commands, and neither `..` nor a link leads out of it.
#![expect(clippy::disallowed_methods, reason = "the one place of this crate that uses files of this machine")]

mod change;
mod owners;
mod place;
#[cfg(test)]
mod tests;

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use self::owners::Owners;
pub use self::place::Mount;
use self::place::Places;
use super::{Access, Change, Computer, FileFacts, FileKind, Ran, RunningProcess, Trouble};

/// The largest file that is read: 64 MiB.
const LARGEST: u64 = 64 << 20;
/// The most names of a folder that are listed.
const MOST_NAMES: usize = 1 << 16;

/// Folders of this machine under the paths that tasks name.
#[derive(Debug)]
pub struct FolderComputer {
    places: Places,
    home: String,
    owners: Owners,
}

impl FolderComputer {
    /// A computer of these folders. `home` is the path of the home folder as tasks name it.
    ///
    /// # Errors
    /// A folder is missing, or a path of a task is not absolute.
    pub fn new(mounts: &[Mount], home: &str) -> io::Result<Self> {
        Ok(Self { places: Places::new(mounts)?, home: home.to_owned(), owners: Owners::of_system() })
    }
}

impl Computer for FolderComputer {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Trouble> {
        let place = self.places.target(path)?;
        let metadata = fs::metadata(&place).map_err(|error| trouble(&error, Access::Read))?;
        if !metadata.is_file() {
            return Err(Trouble::NotAFile);
        }
        let mut bytes = Vec::new();
        let file = fs::OpenOptions::new().read(true).open(&place);
        let read = file.and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
        read.map_err(|error| trouble(&error, Access::Read))?;
        if bytes.len() as u64 > LARGEST { Err(Trouble::TooLarge(LARGEST)) } else { Ok(bytes) }
    }

    fn facts(&mut self, path: &str) -> Result<Option<FileFacts>, Trouble> {
        let place = match self.places.entry(path) {
            Err(Trouble::Missing) => return Ok(None),
            place => place?,
        };
        match fs::symlink_metadata(&place) {
            Ok(metadata) => Ok(Some(self.owners.facts(&metadata))),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(trouble(&error, Access::Read)),
        }
    }

    fn list(&mut self, path: &str) -> Result<Vec<String>, Trouble> {
        let place = self.places.target(path)?;
        let entries = fs::read_dir(&place).map_err(|error| trouble(&error, Access::Read))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| trouble(&error, Access::Read))?;
            names.push(entry.file_name().to_string_lossy().into_owned());
            if names.len() > MOST_NAMES {
                return Err(Trouble::Other(format!("has more than {MOST_NAMES} entries")));
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn change(&mut self, change: &Change<'_>) -> Result<(), Trouble> {
        change::apply(&self.places, change)
    }

    fn processes(&mut self) -> Result<Vec<RunningProcess>, Trouble> {
        Err(Trouble::Unsupported("processes"))
    }

    fn end(&mut self, _processes: &[u32]) -> Result<(), Trouble> {
        Err(Trouble::Unsupported("processes"))
    }

    fn run(&mut self, _command: &str, _limit: Duration) -> Result<Ran, Trouble> {
        Err(Trouble::Unsupported("commands"))
    }

    fn start(&mut self, _command: &[String]) -> Result<(), Trouble> {
        Err(Trouble::Unsupported("programs"))
    }

    /// Does not wait: nothing runs that could change the folder meanwhile.
    fn sleep(&mut self, _duration: Duration) {}

    fn home(&self) -> &str {
        &self.home
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn trouble(error: &io::Error, access: Access) -> Trouble {
    match error.kind() {
        _ if is_missing(error) => Trouble::Missing,
        io::ErrorKind::PermissionDenied => Trouble::Denied(access),
        io::ErrorKind::IsADirectory => Trouble::NotAFile,
        _ => Trouble::Other(format!("cannot be used: {error}")),
    }
}

fn kind(metadata: &Metadata) -> FileKind {
    let kind = metadata.file_type();
    match () {
        () if kind.is_symlink() => FileKind::Link,
        () if kind.is_dir() => FileKind::Folder,
        () if kind.is_file() => FileKind::File,
        () => FileKind::Other,
    }
}

/// Seconds since 1970.
fn seconds(time: io::Result<SystemTime>) -> f64 {
    let since = time.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0.0, |since| since.as_secs_f64())
}
