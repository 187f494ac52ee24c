//! Tags and comments for the screen: read beside it, and again when another program writes some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tokio::sync::mpsc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use mageyard_config::{FileWatcher, Problem};
use mageyard_engine::{EpisodeAnnotations, annotate_step, annotations_path, read_annotations};
use mageyard_lab::{LabError, unix_time};
use mageyard_screen::{Annotated, AnnotationOrder, Answer, Answers};

/// The files of annotations that are watched, each by one task that takes the journals to read it for.
#[derive(Default)]
pub(crate) struct WatchedAnnotations(BTreeMap<PathBuf, UnboundedSender<PathBuf>>);

impl WatchedAnnotations {
    /// Reads the annotations of this journal now and at each change.
    pub(crate) fn add(&mut self, journal: &Path, answers: &Answers) {
        let file = annotations_path(journal);
        let journals = self.0.entry(file.clone()).or_insert_with(|| {
            let (sender, journals) = mpsc::unbounded_channel();
            tokio::spawn(watch(file, journals, answers.clone()));
            sender
        });
        // The task ends with the screen.
        let _ = journals.send(journal.to_owned());
    }
}

/// Reads a file of annotations for each of the journals, and again when it changes, until the screen is closed.
async fn watch(file: PathBuf, mut journals: UnboundedReceiver<PathBuf>, answers: Answers) {
    let mut watcher = FileWatcher::file(&file);
    let mut known: BTreeMap<PathBuf, EpisodeAnnotations> = BTreeMap::new();
    loop {
        tokio::select! {
            journal = journals.recv() => {
                let Some(journal) = journal else { return };
                known.insert(journal, EpisodeAnnotations::default());
            }
            () = changed(&mut watcher) => {}
            () = answers.closed() => return,
        }
        for (journal, before) in &mut known {
            match read(journal.clone()).await {
                Ok(now) if now == *before => {}
                Ok(now) => {
                    before.clone_from(&now);
                    answers.send(Answer::Annotations(journal.clone(), Ok(now)));
                }
                Err(problem) => {
                    answers.send(Answer::Annotations(journal.clone(), Err(problem)));
                }
            }
        }
    }
}

/// Waits for a change; for ever where files cannot be watched.
async fn changed(watcher: &mut Option<FileWatcher>) {
    match watcher {
        Some(watcher) => watcher.changed().await,
        None => std::future::pending().await,
    }
}

async fn read(journal: PathBuf) -> Result<EpisodeAnnotations, Problem> {
    let read = tokio::task::spawn_blocking(move || read_annotations(&journal)).await;
    match read {
        Ok(answer) => answer.map_err(|error| Problem::from(LabError::from(error))),
        Err(error) => Err(Problem::new(error.to_string())),
    }
}

/// Adds or removes a tag or a comment. The step is shown, so it exists.
pub(crate) fn annotate(order: &AnnotationOrder) -> Result<Annotated, Problem> {
    let AnnotationOrder { journal, step, annotation, is_removed } = order;
    let changed = annotate_step(journal, *step, annotation, *is_removed, unix_time());
    let has_changed = changed.map_err(|error| Problem::from(LabError::from(error)))?;
    let annotations = read_annotations(journal).map_err(|error| Problem::from(LabError::from(error)))?;
    Ok(Annotated { has_changed, annotations })
}
