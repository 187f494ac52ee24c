//! Why a sandbox does not work.

use thiserror::Error;

/// A failure of the sandbox itself. It says nothing about the task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SandboxFailure {
    /// The form of sandbox does not work here.
    #[error("{form} does not work here: {reason}")]
    Unavailable {
        /// The form.
        form: String,
        /// Why not.
        reason: String,
    },
    /// It cannot be started.
    #[error("the sandbox cannot be started: {0}")]
    NotStarted(String),
    /// It has ended, with its last words.
    #[error("the sandbox has ended{}", words(.0))]
    Ended(String),
    /// It said something that has no meaning.
    #[error("the sandbox is not understood: {0}")]
    Unreadable(String),
    /// Python or the kernel is missing.
    #[error("the kernel cannot be started: {0}")]
    NoKernel(String),
}

fn words(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(": {last}") }
}
