//! Programs of the machine that an environment can use, such as a real engine in place of a simulator.

use async_trait::async_trait;

use super::{OptionError, Options};

/// The check of a program that an environment uses if its settings choose it.
#[async_trait]
pub trait ProgramCheck: Send + Sync {
    /// The name of the check, such as `football engine`.
    fn name(&self) -> &'static str;

    /// Tries the program that these options choose or name. It may start the program, and waits for it.
    ///
    /// # Errors
    ///
    /// The option that is wrong.
    async fn check(&self, options: &Options) -> Result<ProgramState, OptionError>;
}

/// What a check found, each in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// It works, or the options name none.
    Usable(String),
    /// It does not work, and the options choose it.
    Broken(String),
    /// It does not work, and the options name it without choosing it.
    NotChosen {
        /// Why it does not work.
        reason: String,
        /// Why it is not needed.
        advice: &'static str,
    },
}
