//! The recording on which the tutor teaches. It is compiled in, and written into a folder to be opened like any other.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{Lab, LabError};
use mageyard_config::Problem;
use mageyard_engine::AtomicFile;

/// The files of the recorded session with their paths in its folder.
const FILES: [(&str, &[u8]); 7] = [
    ("blobs/02bc921353aaf774.png", include_bytes!("../../tutor/recording/02bc921353aaf774.png")),
    ("blobs/36a3c975ac9b6f88.png", include_bytes!("../../tutor/recording/36a3c975ac9b6f88.png")),
    ("blobs/37276a3c85efb370.png", include_bytes!("../../tutor/recording/37276a3c85efb370.png")),
    ("blobs/3b5d42020ae0d721.png", include_bytes!("../../tutor/recording/3b5d42020ae0d721.png")),
    ("blobs/53fd289dd38be320.png", include_bytes!("../../tutor/recording/53fd289dd38be320.png")),
    ("blobs/68a008d56e3f6421.png", include_bytes!("../../tutor/recording/68a008d56e3f6421.png")),
    (JOURNAL, include_bytes!("../../tutor/recording/journal.jsonl")),
];

/// The journal of its only episode.
const JOURNAL: &str = "0001/journal.jsonl";

/// The journal of the recording, in a folder in which it is written if it is not there.
pub fn write_tutorial(_lab: &Lab, folder: &Path) -> Result<PathBuf, LabError> {
    for (path, bytes) in FILES {
        write_missing(&folder.join(path), bytes).map_err(|error| {
            let what =
                format!("the recording of the tutor cannot be written to {}: {error}", folder.display());
            LabError::Failed(
                Problem::new(what).with_help("the folder must be writable, with some space left"),
            )
        })?;
    }
    Ok(folder.join(JOURNAL))
}

/// Writes a file unless it has these bytes already.
fn write_missing(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    AtomicFile::stage(path, bytes)?.replace().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded_episode;

    #[tokio::test]
    async fn the_recording_is_whole_and_written_again_where_it_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let lab = super::super::testing::lab();
        let journal = write_tutorial(&lab, folder.path()).unwrap();
        fs::write(&journal, "changed").unwrap();
        let restored =
            recorded_episode(&lab, write_tutorial(&lab, folder.path()).unwrap()).restore().await.unwrap();
        assert_eq!(
            (restored.episode.steps_done(), restored.episode.head().agent.name.as_str()),
            (8, "model")
        );
        assert!(restored.episode.ending().is_some());
    }
}
