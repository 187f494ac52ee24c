//! Exit codes, and why a subcommand fails.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use mageyard_domain::{LevelError, OptionError};
use mageyard_football::grf::EngineFailure;
use mageyard_football_validation::recording::RecordingError;
use thiserror::Error;

/// The exit codes, those of the main program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Every check passed.
    Done = 0,
    /// The engine or the output failed.
    Failed = 1,
    /// An argument or a recording is wrong.
    BadRequest = 2,
    /// Some checks failed.
    Partial = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a subcommand failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A file or folder cannot be read.
    #[error("{}: cannot be read: {why}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A file is larger than a recording can be.
    #[error("{}: is larger than {limit} bytes", .path.display())]
    Large {
        /// The file.
        path: PathBuf,
        /// The largest size.
        limit: u64,
    },
    /// A folder has too many files.
    #[error("{}: has more than {limit} files", .folder.display())]
    Crowded {
        /// The folder.
        folder: PathBuf,
        /// The most files.
        limit: usize,
    },
    /// A folder has no recordings.
    #[error("{}: has no recordings; tools/football-validation/README.md describes the files", .folder.display())]
    NoRecordings {
        /// The folder.
        folder: PathBuf,
    },
    /// A recording is wrong.
    #[error("{}: {why}", .path.display())]
    Recording {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        why: RecordingError,
    },
    /// There are no such scenes.
    #[error("{reference} is not a Football level")]
    NoLevel {
        /// As it was given.
        reference: String,
    },
    /// A file of scenes is wrong.
    #[error("{reference}: {why}")]
    Level {
        /// As it was given.
        reference: String,
        /// What is wrong.
        why: LevelError,
    },
    /// A setting is wrong.
    #[error("football.{0}")]
    Setting(#[from] OptionError),
    /// The real engine does not play.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            // The reader has closed the pipe.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Engine(_) | Self::Output(_) => Exit::Failed,
            _ => Exit::BadRequest,
        }
    }
}
