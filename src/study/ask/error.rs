//! Errors of the files of an ask.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use mageyard_config::Problem;
use mageyard_lab::LabError;

/// Why an ask cannot be stored or read.
#[derive(Debug, Error)]
pub(crate) enum AskFileError {
    #[error("{}: the answers of an ask cannot be read or written: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
    #[error("{}: line {line} is damaged: {why}", path.display())]
    Damaged { path: PathBuf, line: usize, why: String },
    #[error("{}: another process makes this ask now", path.display())]
    Busy { path: PathBuf },
    #[error("{}: it has schema {schema}, which is newer than this program", path.display())]
    Newer { path: PathBuf, schema: u32 },
}

impl AskFileError {
    /// An error of the system at this path.
    pub(crate) fn disk(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Disk { path: path.to_owned(), source }
    }
}

impl From<AskFileError> for LabError {
    fn from(error: AskFileError) -> Self {
        let problem = Problem::new(error.to_string());
        match error {
            AskFileError::Disk { .. } => Self::Failed(problem),
            AskFileError::Damaged { path, .. } => {
                let folder = path.parent().unwrap_or(&path).display().to_string();
                Self::Mismatch(problem.with_help(format!("remove the folder {folder} to ask again")))
            }
            AskFileError::Busy { .. } => {
                Self::Request(problem.with_help("wait for it, or stop it; what it has got stays"))
            }
            AskFileError::Newer { .. } => Self::Request(problem.with_help("use the newer program")),
        }
    }
}
