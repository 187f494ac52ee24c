//! The files of a level go with it into the session of an episode, so that the episode opens without the folder of the user and
//! without the session that it repeats.

use std::path::Path;

use super::{Lab, LabError, known_environment, read_level_files};
use mageyard_domain::{BlobStore, LevelSource};
use mageyard_engine::{Head, SessionBlobs};

/// The head of an episode with this journal, once the files of its level are in the blobs of its session.
pub(crate) fn store_level_files(lab: &Lab, head: Head, journal: &Path) -> Result<Head, LabError> {
    let blobs = SessionBlobs::of_journal(journal);
    match (&head.level, &head.agent.recording) {
        (LevelSource::Record { .. }, _) => {
            let spec = known_environment(lab, &head.environment)?;
            let level = read_level_files(spec, &head.to_level(), &blobs)?;
            Ok(Head { level: level.source, ..head })
        }
        (LevelSource::Files { .. }, Some(recording)) => {
            copy_level_files(&head, recording, journal)?;
            Ok(head)
        }
        _ => Ok(head),
    }
}

/// Copies the files of a level from the session of one journal to that of another.
pub fn copy_level_files(head: &Head, from: &Path, to: &Path) -> Result<(), LabError> {
    let LevelSource::Files { files, .. } = &head.level else { return Ok(()) };
    let (from, to) = (SessionBlobs::of_journal(from), SessionBlobs::of_journal(to));
    for file in files.iter().filter(|file| !to.contains(&file.content)) {
        let bytes = from.get(&file.content).map_err(LabError::failed)?;
        to.put(&file.content.media_type, &bytes).map_err(LabError::failed)?;
    }
    Ok(())
}
