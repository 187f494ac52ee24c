//! Restores recorded episodes together with their environments.

use std::path::Path;

use super::Lab;
use super::LabError;
use super::create_environment;
use crate::domain::Environment;
use crate::domain::EnvironmentSpec;
use crate::engine::Episode;
use crate::engine::JournalContents;
use crate::engine::restore;

impl Lab {
    /// Restores the episode of a journal together with its environment.
    pub async fn restore(
        &self,
        path: &Path,
        recorded: &JournalContents,
    ) -> Result<(&'static dyn EnvironmentSpec, Episode, Box<dyn Environment>), LabError> {
        let head = &recorded.head;
        let spec = self.known_environment(&head.environment)?;
        let mut environment = create_environment(spec, &head.to_level(), &head.options, head.seed)
            .map_err(|(_, why)| LabError::mismatch(path, &format!("the head's {why}")))?;
        let episode = restore(recorded, environment.as_mut())
            .await
            .map_err(|error| LabError::mismatch(path, &format!("{error} (recorded by {})", head.program)))?;
        Ok((spec, episode, environment))
    }
}
