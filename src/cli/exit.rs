//! How a verb ends.

use std::io;
use std::process::ExitCode;

use crate::config::Problem;

/// The exit codes; scripts rely on them. A bad score is not a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// It failed while running.
    Failed = 1,
    /// The request, a setting or a file is wrong.
    BadRequest = 2,
    /// Finished, but something of it failed.
    Partial = 3,
    /// Stopped by a budget or a limit.
    Limit = 4,
    /// What was recorded does not hold: a damaged log, another world.
    Mismatch = 5,
    /// The terminal went away.
    HungUp = 129,
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
    /// Terminated by a signal.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a verb could not go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A problem to print, and the code to end with.
    Problem(Exit, Problem),
    /// Standard output does not take what is written; a closed pipe is no failure at all.
    Output(io::Error),
}

impl Failure {
    /// A problem that arose while running, when nothing was wrong with the request.
    pub(crate) fn running(what: impl std::fmt::Display) -> Self {
        Self::Problem(Exit::Failed, Problem::new(what.to_string()))
    }

    /// What is to be shown of it, without the code.
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Self::Problem(_, problem) => problem,
            Self::Output(error) => Problem::new(error.to_string()),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(Exit::BadRequest, problem)
    }
}

/// Verbs meet this error only when they print.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
