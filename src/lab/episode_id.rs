//! Names an episode of a session.

use std::path::{Path, PathBuf};

use mageyard_engine::episode_folder;

/// An episode of a session.
#[derive(Clone, Debug)]
pub struct EpisodeId {
    /// The folder of the session.
    pub session: PathBuf,
    /// The number of the episode in the session, from 1; `None` for a journal outside a session.
    pub number: Option<u32>,
    /// The number of the branch of that episode, from 1; `None` for the episode itself.
    pub branch: Option<u32>,
}

impl EpisodeId {
    /// The episode of this journal.
    pub fn of_journal(journal: &Path) -> Self {
        let (folder, branch) = episode_folder(journal);
        let number = folder.file_name().and_then(|name| name.to_str()?.parse().ok());
        let session = folder.parent().unwrap_or(Path::new("."));
        Self { session: session.to_owned(), number, branch }
    }

    /// The name of the session, as references to it are written.
    pub fn session_name(&self) -> String {
        self.session.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}
