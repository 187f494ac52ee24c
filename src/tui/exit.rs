//! Why the screen was left, or never came.

use std::io;

use thiserror::Error;

/// Why the screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Somebody left.
    Quit,
    /// SIGINT.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// SIGHUP, or the terminal went away: there may be nobody to print to.
    HungUp,
}

/// Why there is no screen, or no longer one.
#[derive(Debug, Error)]
pub enum ScreenError {
    /// Standard input or output is no terminal; nothing was written.
    #[error("the screen needs a terminal for input and output; `run` plays without one")]
    NoTerminal,
    /// The terminal refused.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// A part of the program panicked; the message stands above.
    #[error("the program broke down; sessions are kept up to their last event")]
    Panicked,
}
