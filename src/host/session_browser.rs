//! Recorded sessions for the screen: the list of the store, the episodes of a session, and new episodes of a
//! session that is being written. All of it runs beside the screen, which receives the results as answers.

use mageyard_lab::{open_recorded, recorded_episode};
use std::path::{Path, PathBuf};

use mageyard_config::{Config, FileWatcher, Problem};
use mageyard_engine::{Store, StoreError};
use mageyard_lab::{Lab, LabError};
use mageyard_screen::{Answer, Answers, Opened, RecordedEpisodes, SessionBatch};

use crate::session_lists::{FirstList, ListReceiver, Reading, SessionLists};

/// Lists the sessions of the store on a thread that may wait for the disk.
pub(crate) fn list(lists: SessionLists, reading: &Reading, lab: Lab, config: Config, answers: Answers) {
    let stop = reading.flag();
    tokio::task::spawn_blocking(move || lists.read(&lab, &config, &stop, &mut ListAnswers(answers)));
}

/// Sends the parts of the list to the screen.
struct ListAnswers(Answers);

impl ListReceiver for ListAnswers {
    fn first(&mut self, list: Result<FirstList, StoreError>) {
        let list = list.map(|list| list.sessions).map_err(|error| Problem::from(LabError::from(error)));
        self.0.send(Answer::Sessions(list));
    }

    fn more(&mut self, batch: SessionBatch) {
        self.0.send(Answer::SessionsRead(Box::new(batch)));
    }
}

/// Opens a recorded session at its first episode; the others are read when they are shown.
pub(crate) fn open(lab: Lab, store: Store, name: String, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let opened = open_first(&lab, &store, &name, &config).await.map_err(Problem::from);
        answers.opened(Opened::Recorded(opened));
    });
}

async fn open_first(
    lab: &Lab,
    store: &Store,
    name: &str,
    config: &Config,
) -> Result<RecordedEpisodes, LabError> {
    open_some(lab, store.find(name)?, false, config).await
}

/// Reads the first of these episodes. If they are followed, it reads all that are not finished, and the newest.
pub(crate) async fn open_some(
    lab: &Lab,
    journals: Vec<PathBuf>,
    follow: bool,
    config: &Config,
) -> Result<RecordedEpisodes, LabError> {
    let mut read = Vec::new();
    for (index, journal) in journals.iter().enumerate() {
        let is_shown = if follow { index + 1 == journals.len() } else { index == 0 };
        let is_written = || recorded_episode(lab, journal).summary().is_none();
        if is_shown || (follow && is_written()) {
            read.push(open_recorded(lab, journal, follow, config).await?);
        }
    }
    Ok(RecordedEpisodes { journals, read })
}

/// The folder whose new episodes are followed: that of the session, unless a single episode was named.
pub(crate) fn followed_folder(store: &Store, run: &str, journals: &[PathBuf]) -> Option<PathBuf> {
    if Path::new(run).is_file() {
        return None;
    }
    let folder = store.session_folder(run).ok()?;
    let is_episode = journals.first().is_some_and(|journal| journal.parent() == Some(&folder));
    (!is_episode).then_some(folder)
}

/// Reports the episodes of a session that start after these, until the screen is closed.
pub(crate) fn follow(lab: Lab, folder: PathBuf, mut known: Vec<PathBuf>, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let Some(mut watcher) = FileWatcher::folder(&folder) else { return };
        let store = Store::new(config.store_folder());
        while !answers.is_closed() {
            let journals = store.find(&folder.to_string_lossy()).unwrap_or_default();
            for journal in journals {
                if known.contains(&journal) {
                    continue;
                }
                // A journal whose first line is not complete yet is read again at the next change.
                if let Ok(session) = open_recorded(&lab, &journal, true, &config).await {
                    known.push(journal);
                    answers.opened(Opened::Followed(session));
                }
            }
            tokio::select! {
                () = watcher.changed() => {}
                () = answers.closed() => {}
            }
        }
    });
}
