//! The list of the episodes of a cell for a dashboard. An episode that is over is read once.

use mageyard_lab::recorded_episode;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::sweep::cell_results::error_text;
use mageyard_engine::{EpisodeSummary, Head};
use mageyard_lab::Lab;
use mageyard_screen::{CellEpisodes, EpisodeRow, EpisodeState};
use mageyard_sweep::{SweepPlan, cell_journals};

/// Reads the episodes of one cell after the other.
pub(crate) struct EpisodeReader {
    plan: Arc<SweepPlan>,
    folder: PathBuf,
    lab: Lab,
    /// The cell that was read last, and its episodes that are over.
    cell: Option<usize>,
    over: HashMap<PathBuf, EpisodeRow>,
}

impl EpisodeReader {
    pub(crate) fn new(plan: Arc<SweepPlan>, folder: PathBuf, lab: Lab) -> Self {
        Self { plan, folder, lab, cell: None, over: HashMap::new() }
    }

    /// The episodes of the cell with this index.
    pub(crate) fn read(&mut self, cell: usize) -> CellEpisodes {
        if self.cell.replace(cell) != Some(cell) {
            self.over.clear();
        }
        let mut list = CellEpisodes { cell: Some(cell), ..CellEpisodes::default() };
        let Some(planned) = self.plan.cells.get(cell) else { return list };
        match cell_journals(&self.folder, &planned.name) {
            Ok(journals) => list.episodes = journals.iter().filter_map(|journal| self.row(journal)).collect(),
            Err(error) => list.problem = error.to_string(),
        }
        list
    }

    fn row(&mut self, journal: &Path) -> Option<EpisodeRow> {
        if let Some(row) = self.over.get(journal) {
            return Some(row.clone());
        }
        let recording = recorded_episode(&self.lab, journal);
        let summary = recording.summary();
        let folder = journal.parent()?.file_name()?.to_string_lossy().into_owned();
        let row = match recording.head() {
            Ok(head) => row(journal, folder, &head, summary.as_ref()),
            Err(error) => EpisodeRow {
                journal: journal.to_owned(),
                folder,
                state: EpisodeState::Unreadable,
                errors: error.to_string(),
                ..EpisodeRow::default()
            },
        };
        if matches!(row.state, EpisodeState::Ended(_)) {
            self.over.insert(journal.to_owned(), row.clone());
        }
        Some(row)
    }
}

fn row(journal: &Path, folder: String, head: &Head, summary: Option<&EpisodeSummary>) -> EpisodeRow {
    let ending = summary.and_then(|summary| summary.ending);
    let text = |value: fn(&EpisodeSummary) -> String| summary.map(value).unwrap_or_default();
    EpisodeRow {
        journal: journal.to_owned(),
        folder,
        level: head.reference.clone(),
        repeat: head.repeat.map(|repeat| repeat.to_string()).unwrap_or_default(),
        state: ending.map_or(EpisodeState::Unfinished, EpisodeState::Ended),
        steps: text(|summary| summary.steps.to_string()),
        score: text(|summary| summary.score.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}"))),
        errors: text(error_text),
        tokens: text(tokens),
        time: text(|summary| {
            format!("{}.{} s", summary.milliseconds / 1000, summary.milliseconds % 1000 / 100)
        }),
    }
}

fn tokens(summary: &EpisodeSummary) -> String {
    let spent = summary.spent;
    match spent.requests {
        0 => String::new(),
        _ => format!("{}{}", spent.usage.total(), spent.unknown_text()),
    }
}
