//! Why a driver stands still.

use thiserror::Error;

use crate::domain::AgentError;
use crate::domain::EnvironmentError;
use crate::engine::edit::EditError;
use crate::engine::episode::OutOfTurn;
use crate::engine::journal_error::JournalError;

/// Why the driver stands still. The episode is as it was, and the same can be tried again.
#[derive(Debug, Error)]
pub enum DriverError {
    /// The journal could not be written.
    #[error("the journal cannot be written, so nothing goes on: {0}. Make room, then go on: nothing is lost")]
    Journal(#[from] JournalError),
    /// The agent gave no answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The environment did not act.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// There is a budget, and the server does not say what it takes.
    #[error("the budget cannot be kept: the server gave no count of tokens for {0} of the replies")]
    Unmetered(usize),
    /// There is no prompt variant of this name.
    #[error("there is no prompt {name:?}; there are: {there}")]
    NoPrompt {
        /// What was asked for.
        name: String,
        /// The names there are.
        there: String,
    },
    /// What a person put in the place of what was pending cannot stand there.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The episode refused an event: a mistake of this program.
    #[error(transparent)]
    OutOfTurn(#[from] OutOfTurn),
}
