//! What lists show of episodes that were not read: heads and summaries, read beside the screen.

use std::path::PathBuf;
use std::time::Duration;

use tokio::task::JoinHandle;

use mageyard_engine::{SessionAnnotations, annotations_path};
use mageyard_lab::{Lab, RecordedEpisode, recorded_episode};
use mageyard_screen::{Answer, Answers, EpisodeOutline};

/// How many episodes are reported at a time.
const BATCH: usize = 100;

/// How long the end of the screen waits for the rest.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// The outlines that are being read.
#[derive(Default)]
pub(crate) struct Outlines(Vec<JoinHandle<Vec<PathBuf>>>);

impl Outlines {
    /// Reads the outlines of these episodes, which have these numbers.
    pub(crate) fn add(&mut self, lab: Lab, journals: Vec<(usize, PathBuf)>, answers: Answers) {
        self.0.push(tokio::spawn(read_all(lab, journals, answers)));
    }

    /// The journals of the episodes that can be resumed, of those whose outlines were read within a second.
    pub(crate) async fn unfinished(self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for mut reading in self.0 {
            match tokio::time::timeout(END_TIMEOUT, &mut reading).await {
                Ok(unfinished) => found.extend(unfinished.unwrap_or_default()),
                Err(_) => reading.abort(),
            }
        }
        found
    }
}

/// Reads these outlines in batches, and returns the journals of the episodes that can be resumed.
async fn read_all(lab: Lab, journals: Vec<(usize, PathBuf)>, answers: Answers) -> Vec<PathBuf> {
    let mut unfinished = Vec::new();
    let mut annotations = (PathBuf::new(), SessionAnnotations::default());
    for batch in journals.chunks(BATCH) {
        let mut outlines = Vec::with_capacity(batch.len());
        for (number, journal) in batch {
            let path = annotations_path(journal);
            if annotations.0 != path {
                let read = SessionAnnotations::read(&path).unwrap_or_default();
                annotations = (path, read);
            }
            let outline = outline(&recorded_episode(&lab, journal), &annotations.1).await;
            if outline.as_ref().is_some_and(|outline| outline.is_unfinished) {
                unfinished.push(journal.clone());
            }
            outlines.push((*number, outline));
        }
        // The screen may be closed. Whether episodes are unfinished is asked after it.
        answers.send(Answer::Outlined(outlines));
        tokio::task::yield_now().await;
    }
    unfinished
}

/// The outline of an episode; `None` if its head cannot be read.
async fn outline(episode: &RecordedEpisode, annotations: &SessionAnnotations) -> Option<EpisodeOutline> {
    let head = Box::new(episode.head().ok()?);
    let summary = episode.summary().map(Box::new);
    let is_unfinished = match &summary {
        Some(summary) => summary.ending.is_none(),
        None => episode.is_unfinished().await,
    };
    let id = episode.id();
    Some(EpisodeOutline {
        head,
        summary,
        is_unfinished,
        annotations: annotations.counts_of(id.number, id.branch),
    })
}
