//! Checks of levels beyond their text, such as in a browser.

use async_trait::async_trait;

use super::{EnvironmentContext, EnvironmentError, Level, Options};

/// A check of levels that needs more than their text.
#[async_trait]
pub trait LevelCheck: Send + Sync {
    /// Everything that is wrong with a level, a sentence each; empty if it is right.
    ///
    /// # Errors
    /// It cannot be checked here, such as without a browser. That says nothing about the level.
    async fn check(
        &self,
        level: &Level,
        options: &Options,
        context: &EnvironmentContext,
    ) -> Result<Vec<String>, EnvironmentError>;

    /// What is counted over the levels of a file, in a line, so that a copy can be compared with what was published. `None` if
    /// nothing is.
    fn summary(&self, levels: &[&Level]) -> Option<String> {
        let _ = levels;
        None
    }
}
