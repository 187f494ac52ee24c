//! The running episodes of a sweep: from the events of a run in this process, or from the journals of other processes.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mageyard_domain::{EnvironmentSpec, Returns};
use mageyard_engine::{Head, Step, Store};
use mageyard_lab::{EpisodeEvent, EpisodeId, Lab, RunEvent, known_environment, recorded_episode};
use mageyard_screen::{CellPhase, RunningEpisode, SmallFrame, SweepView};
use mageyard_sweep::cell_journals;

/// The most episodes that are read from journals: more have no room on a screen.
const MOST_READ: usize = 64;

/// The running episodes of a run in this process, by the cell and the place in it.
#[derive(Default)]
pub(crate) struct RunningEpisodes(BTreeMap<(usize, usize), Kept>);

/// The newest step of an episode.
struct Kept {
    journal: PathBuf,
    head: Arc<Head>,
    step: Arc<Step>,
    /// What is shown of it, once that was made.
    shown: Option<RunningEpisode>,
}

impl RunningEpisodes {
    /// Takes an event of an episode of this cell.
    pub(crate) fn apply(&mut self, cell: usize, event: &EpisodeEvent) {
        let key = (cell, event.index);
        match &event.event {
            RunEvent::Step(head, step, _) => {
                let journal = journal_of(&event.id);
                let kept = Kept { journal, head: head.clone(), step: step.clone(), shown: None };
                self.0.insert(key, kept);
            }
            ended if ended.is_end() => drop(self.0.remove(&key)),
            _ => {}
        }
    }

    /// Forgets the episodes of a cell that is not worked on any more.
    pub(crate) fn forget(&mut self, cell: usize) {
        self.0.retain(|(of, _), _| *of != cell);
    }

    /// What is shown of all of them. Frames are made of new steps only.
    pub(crate) fn shown(&mut self, lab: &Lab) -> Vec<RunningEpisode> {
        let episodes = self.0.iter_mut().filter_map(|((cell, _), kept)| {
            if kept.shown.is_none() {
                let spec = known_environment(lab, &kept.head.environment).ok()?;
                let score = score_text(spec, kept.step.returns, None);
                kept.shown = Some(running(*cell, &kept.journal, &kept.head, (&kept.step, score), spec));
            }
            kept.shown.clone()
        });
        episodes.collect()
    }
}

/// The journal of an episode.
fn journal_of(id: &EpisodeId) -> PathBuf {
    let number = id.number.and_then(|number| usize::try_from(number).ok()).unwrap_or_default();
    Store::new(&id.session).journal_path(&id.session, number)
}

/// The running episodes of other processes. A journal is read again when it has grown.
#[derive(Default)]
pub(crate) struct RecordedRunning {
    known: HashMap<PathBuf, (u64, Option<RunningEpisode>)>,
}

impl RecordedRunning {
    /// The unfinished episodes of the running cells of a view.
    pub(crate) async fn read(&mut self, view: &SweepView, folder: &Path, lab: &Lab) -> Vec<RunningEpisode> {
        let mut found = Vec::new();
        let mut known = HashMap::new();
        let cells = view.cells.iter().enumerate().filter(|(_, cell)| cell.state == CellPhase::Running);
        for (index, cell) in cells {
            for journal in cell_journals(folder, &cell.name).unwrap_or_default() {
                let size = std::fs::metadata(&journal).map(|file| file.len()).unwrap_or_default();
                let before = self.known.remove(&journal).filter(|(before, _)| *before == size);
                let episode = match before {
                    Some((_, episode)) => episode,
                    None if found.len() < MOST_READ => read(index, &journal, lab).await,
                    None => None,
                };
                found.extend(episode.clone());
                known.insert(journal, (size, episode));
            }
        }
        self.known = known;
        found.truncate(MOST_READ);
        found
    }
}

/// An unfinished episode with at least one step; `None` of one that is over or cannot be read now.
async fn read(cell: usize, journal: &Path, lab: &Lab) -> Option<RunningEpisode> {
    let recording = recorded_episode(lab, journal);
    if recording.summary().is_some_and(|summary| summary.ending.is_some()) {
        return None;
    }
    let restored = recording.restore().await.ok()?;
    let episode = restored.episode;
    if episode.ending().is_some() {
        return None;
    }
    let steps = episode.steps();
    let step = steps.iter().rev().find(|step| step.is_done())?;
    let score = score_text(restored.spec, step.returns, episode.score(restored.spec));
    Some(running(cell, journal, episode.head(), (step, score), restored.spec))
}

fn running(
    cell: usize,
    journal: &Path,
    head: &Head,
    (step, score): (&Step, String),
    spec: &dyn EnvironmentSpec,
) -> RunningEpisode {
    let action = step.action.as_ref().map_or_else(|| "no action".to_owned(), ToString::to_string);
    RunningEpisode {
        cell,
        journal: journal.to_owned(),
        level: head.reference.clone(),
        repeat: head.repeat.map(|repeat| repeat.to_string()).unwrap_or_default(),
        step: step.number,
        max_steps: head.max_steps,
        score,
        action,
        frame: SmallFrame::of(&step.observation, &spec.capabilities().presentation),
    }
}

/// The score if it is known before the end, else the sum of rewards.
fn score_text(spec: &dyn EnvironmentSpec, returns: Returns, known: Option<f64>) -> String {
    match known.or_else(|| spec.score(returns, None)) {
        Some(score) => format!("score {score:.2}"),
        None => format!("reward {:+.2}", returns.sum),
    }
}
