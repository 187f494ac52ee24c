//! Exit codes and failures of verbs.

use std::io;
use std::process::ExitCode;

use mageyard_config::Problem;

/// The exit codes; scripts rely on them. A bad score is not a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// It failed while running.
    Failed = 1,
    /// The request, a setting or a file is wrong.
    BadRequest = 2,
    /// It finished, but a part of it failed.
    Partial = 3,
    /// It was stopped by a budget or a limit, or a person cancelled it from another terminal.
    Limit = 4,
    /// A recording does not match: a damaged log or a different environment.
    Mismatch = 5,
    /// A threshold was missed.
    Threshold = 100,
    /// The terminal was closed.
    HungUp = 129,
    /// Interrupted with Ctrl-C.
    Interrupted = 130,
    /// Terminated by a signal.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a verb failed.
#[derive(Debug)]
pub enum Failure {
    /// A problem to print, and the exit code.
    Problem(Exit, Problem),
    /// Standard output could not be written. A closed pipe is not an error.
    Output(io::Error),
}

impl Failure {
    /// A problem at run time, when nothing is wrong with the request.
    pub fn running(what: impl std::fmt::Display) -> Self {
        Self::Problem(Exit::Failed, Problem::new(what.to_string()))
    }

    /// The problem to show, without the exit code.
    pub fn into_problem(self) -> Problem {
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

/// Verbs get a plain I/O error only from printing.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
