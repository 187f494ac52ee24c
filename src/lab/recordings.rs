//! Recorded episodes as a stream. An episode is read when it is asked for: its head alone, or restored with all its
//! steps.

use crate::restore::restore_journal;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{slice, vec};

use super::restore::ReplayedJournal;
use super::{EpisodeId, Lab, LabError, search_distances};
use mageyard_config::Config;
use mageyard_domain::{Environment, EnvironmentSpec};
use mageyard_engine::{
    Distances, Episode, EpisodeSummary, Head, JournalReader, Store, StoredState, branch_journal,
    branch_numbers, check_summary, episode_folder, read_journal_head, read_journal_tail, read_summary,
};

/// The episodes of some sessions, in order. A session is looked up when its turn comes.
pub struct Recordings<'a> {
    lab: &'a Lab,
    store: &'a Store,
    sessions: slice::Iter<'a, String>,
    journals: vec::IntoIter<PathBuf>,
}

/// The recorded episodes that these references name, as [`Store::find`] reads them.
pub fn read_recordings<'a>(lab: &'a Lab, store: &'a Store, sessions: &'a [String]) -> Recordings<'a> {
    Recordings { lab, store, sessions: sessions.iter(), journals: Vec::new().into_iter() }
}

/// The recorded episode of this journal.
pub fn recorded_episode(lab: &Lab, journal: impl Into<PathBuf>) -> RecordedEpisode {
    RecordedEpisode { lab: lab.clone(), path: journal.into() }
}

impl Iterator for Recordings<'_> {
    type Item = Result<RecordedEpisode, LabError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(path) = self.journals.next() {
                return Some(Ok(recorded_episode(self.lab, path)));
            }
            match self.store.find(self.sessions.next()?) {
                Ok(journals) => self.journals = journals.into_iter(),
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

/// A recorded episode, not read yet.
#[derive(Clone, Debug)]
pub struct RecordedEpisode {
    lab: Lab,
    path: PathBuf,
}

impl RecordedEpisode {
    /// The path of its journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn lab(&self) -> &Lab {
        &self.lab
    }

    /// Its session and number.
    pub fn id(&self) -> EpisodeId {
        EpisodeId::of_journal(&self.path)
    }

    /// The recording and the branches of its episode; of a branch only itself.
    pub fn with_branches(self) -> Vec<Self> {
        let (folder, branch) = episode_folder(&self.path);
        let numbers = if branch.is_some() { Vec::new() } else { branch_numbers(folder).unwrap_or_default() };
        let journals = numbers.into_iter().map(|number| branch_journal(folder, Some(number)));
        let journals: Vec<_> = journals.filter(|journal| journal.is_file()).collect();
        let branches =
            journals.into_iter().map(|journal| recorded_episode(&self.lab, journal)).collect::<Vec<_>>();
        std::iter::once(self).chain(branches).collect()
    }

    /// The number of the first step that it does not share with a parent.
    pub fn first_own_step(&self) -> u32 {
        let parent = self.head().ok().and_then(|head| head.parent);
        parent.map_or(1, |parent| parent.step)
    }

    /// Reads only its head.
    pub fn head(&self) -> Result<Head, LabError> {
        Ok(read_journal_head(&self.path)?)
    }

    /// Restores it with all its steps.
    pub async fn restore(&self) -> Result<RestoredEpisode, LabError> {
        let replayed = restore_journal(&self.lab, JournalReader::open(&self.path)?).await?;
        let ReplayedJournal { spec, episode, environment, reader } = replayed;
        let elapsed = reader.elapsed();
        Ok(RestoredEpisode { spec, episode, environment, elapsed })
    }

    /// How it went, without restoring it; `None` if it is not finished, or was written by an older version.
    pub fn summary(&self) -> Option<EpisodeSummary> {
        read_summary(&self.path)
    }

    /// What is wrong with the summary beside the journal, if it was changed or does not say what the journal does. `computed`
    /// is the one from the journal.
    pub fn wrong_summary(&self, computed: &EpisodeSummary) -> Option<String> {
        let why = match check_summary(&self.path) {
            StoredState::Missing | StoredState::OtherVersion => return None,
            StoredState::Intact(stored) if stored.agrees_with(computed) => return None,
            StoredState::Intact(_) => "it does not say what the journal does".to_owned(),
            StoredState::Changed(why) => why,
        };
        let file = self.path.with_file_name("summary.json");
        Some(format!("{}: {why}; remove it, it is made from the journal", file.display()))
    }

    /// Whether it can be resumed. Most journals have a summary or tell by their last event; others are restored.
    pub async fn is_unfinished(&self) -> bool {
        if let Some(summary) = self.summary() {
            return summary.ending.is_none();
        }
        if !read_journal_tail(&self.path).is_ok_and(|tail| tail.is_none_or(|tail| !tail.is_final)) {
            return false;
        }
        self.restore().await.is_ok_and(|restored| restored.episode.ending().is_none())
    }
}

/// A recorded episode with all its steps.
pub struct RestoredEpisode {
    /// The description of its environment.
    pub spec: &'static dyn EnvironmentSpec,
    /// The episode.
    pub episode: Episode,
    /// The environment, in the state of the episode.
    pub environment: Box<dyn Environment>,
    /// How long it was played.
    pub elapsed: Duration,
}

impl RestoredEpisode {
    /// How it went so far.
    pub fn summary(&self) -> EpisodeSummary {
        EpisodeSummary::of(&self.episode, self.spec, self.elapsed)
    }

    /// Searches the distance of every state, within the solver limits of the environment and the
    /// `screen.distance_time` setting; `None` if there is no solver.
    pub async fn distances(&self, config: &Config) -> Option<Distances> {
        search_distances(self.spec, &self.episode, config).await
    }
}
