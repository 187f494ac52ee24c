//! The session that is played on the screen: its folder, and the episodes that start in it.

use std::path::{Path, PathBuf};

use tokio::runtime::Handle;

use crate::session_start::start_session;
use mageyard_config::{Config, Problem};
use mageyard_engine::{Head, Session, Store};
use mageyard_lab::{
    Lab, LabError, PreparedEpisode, ReplaySource, SelectedLevel, assign_starts, copy_level_files,
    create_session, level_of, new_head, open_new, recorded_episode, replay_source, resume_episode,
    select_level, unix_time,
};

/// Starts episodes, all in one session.
pub(crate) struct PlayedSession {
    lab: Lab,
    pub(crate) config: Config,
    /// Its folder; created when the first episode starts.
    folder: Option<PathBuf>,
    /// The configured recording. It is read once, because `last` may later mean this session.
    replay_source: Option<(String, ReplaySource)>,
}

impl PlayedSession {
    pub(crate) fn new(lab: Lab, config: Config) -> Self {
        Self { lab, config, folder: None, replay_source: None }
    }

    /// Its folder, if an episode was started.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Starts a new episode on a level.
    pub(crate) fn start(&mut self, selected: &SelectedLevel) -> Result<Session, LabError> {
        let mut head = new_head(&self.lab, &self.config, selected, self.config.settings().play.seed)?;
        let config = self.config.clone();
        let store = Store::new(config.store_folder());
        // Only a level that starts from a recording waits for its journal to be read.
        tokio::task::block_in_place(|| {
            let assigned = assign_starts(&self.lab, &store, std::slice::from_mut(&mut head));
            Handle::current().block_on(assigned)
        })?;
        if let Some(replay_source) = self.replay_source()? {
            replay_source.assign(&mut head, &config)?;
        }
        self.start_head(head, selected)
    }

    /// Starts a new episode on the level of this reference.
    pub(crate) fn open(&mut self, reference: &str) -> Result<Session, LabError> {
        let level = select_level(&self.lab, self.config.folders(), reference)?;
        self.start(&level)
    }

    /// Starts the first episode of the configured recording; without one, an episode on the configured level.
    pub(crate) fn start_replay(&mut self) -> Result<Session, LabError> {
        let config = self.config.clone();
        let first = match self.replay_source()? {
            Some(source) => source.heads(&config)?.into_iter().next(),
            None => None,
        };
        let Some(head) = first else { return self.open(&config.settings().play.level) };
        let level = level_of(&self.lab, &head)?;
        self.start_head(head, &level)
    }

    /// Starts a new episode with this head.
    pub(crate) fn start_head(&mut self, head: Head, level: &SelectedLevel) -> Result<Session, LabError> {
        let folder = self.folder_for(level)?;
        self.start_in(folder, head)
    }

    /// The folder of the session, which is created for this level if there is none.
    fn folder_for(&self, level: &SelectedLevel) -> Result<PathBuf, LabError> {
        let store = Store::new(self.config.store_folder());
        match &self.folder {
            Some(folder) => Ok(folder.clone()),
            None => create_session(&store, std::slice::from_ref(level), &self.config),
        }
    }

    /// Plays the level of the first episode of the session with this name again, with everything that it was started with.
    pub(crate) fn play_again(&mut self, name: &str) -> Result<Session, LabError> {
        let journals = Store::new(self.config.store_folder()).journals(name)?;
        let journal = journals.first().map_or(Path::new(name), PathBuf::as_path);
        let head = recorded_episode(&self.lab, journal).head()?;
        let level = level_of(&self.lab, &head)?;
        let folder = self.folder_for(&level)?;
        copy_level_files(&head, journal, &Store::new(self.config.store_folder()).journal_path(&folder, 1))?;
        self.start_in(folder, head.restarted(unix_time().as_secs()))
    }

    /// The next episode begins a new session if this folder, which is there no more, was that of the played one.
    pub(crate) fn forget(&mut self, folder: &Path) {
        self.folder.take_if(|played| played == folder);
    }

    /// Starts a new episode with everything that this head was started with.
    pub(crate) fn restart(&mut self, head: &Head) -> Result<Session, LabError> {
        let Some(folder) = self.folder.clone() else {
            return Err(Problem::new("a recording cannot be restarted").into());
        };
        self.start_in(folder, head.restarted(unix_time().as_secs()))
    }

    fn start_in(&mut self, folder: PathBuf, head: Head) -> Result<Session, LabError> {
        let store = Store::new(self.config.store_folder());
        let number = store.next_episode(&folder).map_err(LabError::failed)?;
        let prepared = open_new(&self.lab, &store, &folder, number, head, &self.config)?;
        self.folder = Some(folder);
        Ok(self.begin(prepared))
    }

    /// Resumes the last episode of a session; also returns a warning about its journal.
    pub(crate) async fn resume(&mut self, run: &str) -> Result<(Session, Option<String>), LabError> {
        let journals = Store::new(self.config.store_folder()).find(run)?;
        let journal = journals.last().map_or(Path::new(run), PathBuf::as_path);
        let mut prepared = resume_episode(&self.lab, journal, &self.config).await?;
        let note = prepared.note.take();
        self.folder = Some(prepared.id.session.clone());
        Ok((self.begin(prepared), note))
    }

    fn begin(&self, prepared: PreparedEpisode) -> Session {
        start_session(prepared, &self.lab, &self.config)
    }

    fn replay_source(&mut self) -> Result<Option<&ReplaySource>, LabError> {
        let from = &self.config.settings().play.from;
        if self.replay_source.as_ref().is_none_or(|(known, _)| known != from) {
            self.replay_source = replay_source(&self.lab, &self.config)?.map(|source| (from.clone(), source));
        }
        Ok(self.replay_source.as_ref().map(|(_, source)| source))
    }
}
