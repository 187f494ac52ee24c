//! The computer that handlers see: its files and its processes.

use std::time::Duration;

use thiserror::Error;

use super::Finding;
pub use mageyard_sandbox::{FileFacts, FileKind, Ran, RunningProcess};

/// Files, processes and programs of an episode. Calls block; paths are absolute, as tasks name them.
pub trait Computer {
    /// The bytes of a file.
    ///
    /// # Errors
    /// It is missing, not a file, too large, or may not be read.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Trouble>;

    /// What a path names, without following a link at its end; `None` if nothing is there.
    ///
    /// # Errors
    /// It may not be looked at.
    fn facts(&mut self, path: &str) -> Result<Option<FileFacts>, Trouble>;

    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// It is missing, no folder, or may not be read.
    fn list(&mut self, path: &str) -> Result<Vec<String>, Trouble>;

    /// Changes files.
    ///
    /// # Errors
    /// It cannot be done.
    fn change(&mut self, change: &Change<'_>) -> Result<(), Trouble>;

    /// The running processes.
    ///
    /// # Errors
    /// They are not known here, as for a folder that is judged by itself.
    fn processes(&mut self) -> Result<Vec<RunningProcess>, Trouble>;

    /// Ends all processes of the episode with these identifiers.
    ///
    /// # Errors
    /// It cannot be done here.
    fn end(&mut self, processes: &[u32]) -> Result<(), Trouble>;

    /// Runs a command of the shell to its end.
    ///
    /// # Errors
    /// It cannot be started, or takes longer than the limit; it is ended then.
    fn run(&mut self, command: &str, limit: Duration) -> Result<Ran, Trouble>;

    /// Starts a program that goes on.
    ///
    /// # Errors
    /// It cannot be started.
    fn start(&mut self, command: &[String]) -> Result<(), Trouble>;

    /// Waits.
    fn sleep(&mut self, duration: Duration);

    /// The home folder of the episode, an absolute path.
    fn home(&self) -> &str;
}

/// A change of files.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<'a> {
    /// Writes a file, and the folders that it needs.
    Write {
        /// The file.
        path: &'a str,
        /// Its content.
        content: &'a [u8],
    },
    /// Makes a folder, and those that it needs; one that exists stays.
    Folder {
        /// The folder.
        path: &'a str,
    },
    /// Removes a file, or a folder with everything in it. What is missing is no error.
    Remove {
        /// What to remove.
        path: &'a str,
        /// Whether only a folder is removed, and only a file otherwise.
        folder: bool,
    },
    /// Moves or renames.
    Move {
        /// From here.
        from: &'a str,
        /// To here; into it if it is a folder.
        to: &'a str,
    },
    /// Copies a file or a whole folder.
    Copy {
        /// From here.
        from: &'a str,
        /// To here; a file goes into it if it is a folder.
        to: &'a str,
    },
    /// Sets permissions.
    Mode {
        /// The file or folder.
        path: &'a str,
        /// The twelve bits.
        mode: u32,
    },
}

/// Which access was not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read.
    Read,
    /// To change.
    Change,
}

/// Why the computer did not do something.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    Denied(Access),
    /// It took longer than its limit.
    #[error("did not end within {} s", .0.as_secs())]
    TimeOut(Duration),
    /// There is nothing of the kind, such as processes of a folder.
    #[error("{0} cannot be judged here")]
    Unsupported(&'static str),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl Trouble {
    /// The task is not done, for this trouble with a path.
    pub fn as_fail(&self, path: &str) -> Finding {
        Finding::Fail(format!("{path} {self}"))
    }

    /// It cannot be judged, for this trouble with a path.
    pub fn as_error(&self, path: &str) -> Finding {
        Finding::Error(format!("{path} {self}"))
    }
}

impl From<mageyard_sandbox::Trouble> for Trouble {
    fn from(trouble: mageyard_sandbox::Trouble) -> Self {
        use mageyard_sandbox::Trouble as Inner;
        match trouble {
            Inner::Missing => Self::Missing,
            Inner::NotAFile => Self::NotAFile,
            Inner::TooLarge(most) => Self::TooLarge(most),
            Inner::Denied => Self::Denied(Access::Read),
            Inner::TimeOut(limit) => Self::TimeOut(limit),
            Inner::Other(reason) => Self::Other(reason),
        }
    }
}
