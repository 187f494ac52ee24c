//! Why the driver cannot continue.

use thiserror::Error;

use crate::edit::EditError;
use crate::episode::{AskAgainError, OutOfTurn};
use crate::journal::JournalError;
use crate::seat::SeatError;
use mageyard_dialog::PersonError;
use mageyard_domain::{AgentError, EnvironmentError, PictureError, ShownPart, SideRole};

/// Why the driver cannot continue. The episode is unchanged, and the same call can be tried again.
#[derive(Debug, Error)]
pub enum DriverError {
    /// The journal could not be written.
    #[error("the journal cannot be written: {}{}", .0, advice(.0))]
    Journal(#[from] JournalError),
    /// The agent failed.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The environment failed.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The environment cannot come back in this process.
    #[error("the state of the environment is lost: {0}")]
    Lost(&'static str),
    /// There is a budget, but the server does not report token counts.
    #[error(
        "the budget cannot be enforced: the server reports no token counts; remove the limit, or let an estimate count with play.unknown_usage = \"estimate\" in a new session"
    )]
    Unmetered,
    /// There is no prompt variant of this name.
    #[error("there is no prompt {name:?}; the prompts are {there}")]
    NoPrompt {
        /// The requested name.
        name: String,
        /// The names that exist.
        there: String,
    },
    /// Nobody answers for this role.
    #[error("the environment asks the role {0}, and no one answers for it in this episode")]
    NoRole(SideRole),
    /// A question shows a part that no observation has.
    #[error(
        "the role {role} is to be shown part {} of the observation {} steps before the newest one, which is not there",
        part.index + 1,
        part.back
    )]
    NoPart {
        /// Who is asked.
        role: SideRole,
        /// The part.
        part: ShownPart,
    },
    /// The agent cannot be asked again.
    #[error(transparent)]
    AskAgain(#[from] AskAgainError),
    /// The image that a person gave is no picture.
    #[error("the frame cannot be replaced: {0}")]
    Frame(#[from] PictureError),
    /// The edit was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The answer of a person was not taken.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The seat was not changed.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The episode refused an event: a bug in this program.
    #[error(transparent)]
    OutOfTurn(#[from] OutOfTurn),
}

fn advice(error: &JournalError) -> &'static str {
    match error {
        // Another process continues the episode.
        JournalError::NotOwner { .. } => "",
        _ => {
            ". The episode is paused and nothing is lost: free disk space or fix the permission, then continue"
        }
    }
}
