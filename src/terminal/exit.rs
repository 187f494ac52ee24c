//! Why the screen ended or could not start.

use std::io;

use thiserror::Error;

/// Why the screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenExit {
    /// The user quit.
    Quit,
    /// SIGINT.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// SIGHUP, or the terminal is gone: output may go nowhere.
    HungUp,
}

/// Why the screen could not start or failed.
#[derive(Debug, Error)]
pub enum ScreenError {
    /// Standard input or output is not a terminal; nothing was written.
    #[error("the screen needs a terminal for input and output; without one use --linear, or `mageyard run`")]
    NoTerminal,
    /// Reading from or writing to the terminal failed.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// A part of the program panicked; its message was printed before.
    #[error("the program crashed; sessions are saved up to their last event")]
    Panicked,
}
