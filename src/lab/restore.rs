//! Restores recorded episodes together with their environments.

use crate::known_environment;
use std::path::Path;

use super::{Lab, LabError, create_environment};
use mageyard_domain::{Environment, EnvironmentSpec};
use mageyard_engine::{
    Episode, Head, JournalContents, JournalReader, ReplayError, RestoreError, restore, restore_from,
};

/// The episode of a journal, and the state for reading further lines.
pub(super) struct ReplayedJournal {
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) episode: Episode,
    pub(super) environment: Box<dyn Environment>,
    pub(super) reader: JournalReader,
}

/// Restores the episode of a journal together with its environment.
pub async fn restore_episode(
    lab: &Lab,
    path: &Path,
    recorded: &JournalContents,
) -> Result<(&'static dyn EnvironmentSpec, Episode, Box<dyn Environment>), LabError> {
    let (spec, mut environment) = new_environment(lab, path, &recorded.head)?;
    let episode = restore(recorded, environment.as_mut())
        .await
        .map_err(|error| mismatch(path, &recorded.head, &error))?;
    Ok((spec, episode, environment))
}

/// Restores the episode of a journal from a reader behind its head, together with its environment. The reader is
/// then at the end.
pub(crate) async fn restore_journal(lab: &Lab, reader: JournalReader) -> Result<ReplayedJournal, LabError> {
    let path = reader.path().to_owned();
    let head = reader.head().clone();
    let (spec, mut environment) = new_environment(lab, &path, &head)?;
    let restored = restore_from(reader, environment.as_mut()).await;
    let (episode, reader) = restored.map_err(|error| restore_error(&path, &head, error))?;
    Ok(ReplayedJournal { spec, episode, environment, reader })
}

/// Creates the environment of a head, not opened yet. `path` is the journal, for errors: the environment is unknown, or
/// refuses the recorded level or options.
pub fn new_environment(
    lab: &Lab,
    path: &Path,
    head: &Head,
) -> Result<(&'static dyn EnvironmentSpec, Box<dyn Environment>), LabError> {
    let spec = known_environment(lab, &head.environment)?;
    let environment = create_environment(spec, &head.to_level(), &head.options, head.seed)
        .map_err(|(_, why)| LabError::mismatch(path, &format!("the head's {why}")))?;
    Ok((spec, environment))
}

/// Why the episode of the journal at this path cannot be restored.
pub fn restore_error(path: &Path, head: &Head, error: RestoreError) -> LabError {
    match error {
        RestoreError::Journal(error) => error.into(),
        RestoreError::Replay(error) => mismatch(path, head, &error),
    }
}

fn mismatch(path: &Path, head: &Head, error: &ReplayError) -> LabError {
    LabError::mismatch(path, &format!("{error} (recorded by {})", head.program))
}
