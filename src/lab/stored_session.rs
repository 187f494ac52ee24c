//! Sessions of the store, as lists show them.

use crate::recorded_episode;
use std::collections::BTreeMap;

use super::{Lab, RecordedEpisode};
use mageyard_engine::{Head, Store, StoreError};

/// A session of the store.
pub struct StoredSession {
    /// Its name.
    pub name: String,
    /// Its episodes that were started, in order.
    pub episodes: Vec<RecordedEpisode>,
}

/// The session with this full name.
pub fn stored_session(lab: &Lab, store: &Store, name: String) -> Result<StoredSession, StoreError> {
    let journals = store.journals(&name)?.into_iter();
    Ok(StoredSession { name, episodes: journals.map(|journal| recorded_episode(lab, journal)).collect() })
}

impl StoredSession {
    /// The head of the first episode; `None` if it cannot be read.
    pub fn first_head(&self) -> Option<Head> {
        self.episodes.first()?.head().ok()
    }

    /// The head of the last of several episodes; `None` if it cannot be read.
    pub fn last_head(&self) -> Option<Head> {
        self.episodes.get(1..)?.last()?.head().ok()
    }

    /// The episode to resume it with: the newest one if planned episodes were never started, or else the newest that
    /// is not finished.
    pub async fn unfinished(&self, store: &Store) -> Option<&RecordedEpisode> {
        let newest = self.episodes.last()?;
        let plan = store.read_plan(&newest.id().session).ok().flatten();
        if plan.is_some_and(|plan| plan.len() > self.episodes.len()) {
            return Some(newest);
        }
        for episode in self.episodes.iter().rev() {
            if episode.is_unfinished().await {
                return Some(episode);
            }
        }
        None
    }

    /// How many replies ended in each way, by the name of the ending, complete ones left out. Only finished episodes tell
    /// it without being restored.
    pub fn reply_endings(&self) -> BTreeMap<String, usize> {
        let summaries = self.episodes.iter().filter_map(RecordedEpisode::summary);
        summaries.flat_map(|summary| summary.reply_endings).fold(
            BTreeMap::new(),
            |mut counts, (name, count)| {
                *counts.entry(name).or_default() += count;
                counts
            },
        )
    }
}
