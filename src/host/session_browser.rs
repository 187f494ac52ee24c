//! Recorded sessions for the screen: the list of the store, the episodes of a session, and new episodes of a
//! session that is being written. All of it runs beside the screen, which receives the results as answers.

use mageyard_lab::{open_recorded, recorded_episode, stored_session, write_tutorial};
use std::path::{Path, PathBuf};

use mageyard_config::{Config, FileWatcher, Problem};
use mageyard_engine::{Session, SessionAnnotations, Store, annotations_path};
use mageyard_lab::{Lab, LabError};
use mageyard_screen::{Answer, Answers, Opened, RecordedEpisodes, SessionSummary};

/// Lists the sessions of the store on a thread that may wait for the disk.
pub(crate) fn list(lab: Lab, store: Store, answers: Answers) {
    tokio::task::spawn_blocking(move || {
        answers.send(Answer::Sessions(summaries(&lab, &store).map_err(Problem::from)));
    });
}

/// The sessions with at least one episode, newest first, and then the sweeps.
pub(crate) fn summaries(lab: &Lab, store: &Store) -> Result<Vec<SessionSummary>, LabError> {
    let names = store.sessions()?;
    let sweeps = store.sweeps()?;
    let sessions = names.into_iter().rev().filter_map(|name| summary(lab, store, name));
    Ok(sessions.chain(sweeps.into_iter().filter_map(|name| sweep_summary(store, name))).collect())
}

/// A sweep with at least one episode.
fn sweep_summary(store: &Store, name: String) -> Option<SessionSummary> {
    let cells = store.sweep(&name)?;
    let episodes = cells.all_journals().ok().filter(|journals| !journals.is_empty())?.len();
    let count = cells.sessions().ok()?.len();
    let summary = format!("sweep · {count} {}", if count == 1 { "cell" } else { "cells" });
    Some(SessionSummary { name, episodes, summary, is_sweep: true })
}

fn summary(lab: &Lab, store: &Store, name: String) -> Option<SessionSummary> {
    let session = stored_session(lab, store, name).ok()?;
    let episodes = session.episodes.len();
    let Some(head) = session.first_head() else {
        let summary = "unreadable: see `mageyard log check`".to_owned();
        return Some(SessionSummary { name: session.name, episodes, summary, is_sweep: false });
    };
    let levels = match session.last_head().filter(|last| last.reference != head.reference) {
        Some(last) => format!("{} to {}", head.reference, last.reference),
        None => head.reference.clone(),
    };
    let agent = head.agent.display_name();
    let setting = head.setting;
    let prompt = &head.prompt;
    let window = head.window;
    let asks =
        head.model().is_some() || lab.agent(&head.agent.name).is_some_and(|row| row.requests.is_some());
    let asked = asks.then(|| format!(" · {prompt} · AM {} OM {}", window.am(), window.om()));
    let summary = format!("{levels} · {agent} · {setting}{}", asked.unwrap_or_default());
    let counts = session.episodes.first().and_then(|first| {
        let annotations = SessionAnnotations::read(&annotations_path(first.path())).ok()?;
        mageyard_lab::annotation_counts(annotations.counts())
    });
    let summary = counts.map_or(summary.clone(), |counts| format!("{summary} · {counts}"));
    Some(SessionSummary { name: session.name, episodes, summary, is_sweep: false })
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

/// Opens the recording of the tutor.
pub(crate) fn open_tutorial(lab: Lab, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let opened = tutorial(&lab, &config).await.map_err(Problem::from);
        answers.opened(Opened::Tutorial(opened));
    });
}

/// The recording of the tutor.
pub(crate) async fn tutorial(lab: &Lab, config: &Config) -> Result<Session, LabError> {
    let journal = write_tutorial(lab, &config.folders().tutorial())?;
    open_recorded(lab, &journal, false, config).await
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
