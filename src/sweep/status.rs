//! The status of a sweep: the state of each cell, and what its episodes have spent so far. It only reads.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

use super::claims::{CellState, ClaimError, cell_states};
use super::run::is_copy;
use mageyard_domain::{ModelTotals, RequestOutcome, SideRole, TokenTotals};
use mageyard_engine::{
    Access, EpisodeSummary, Head, JournalReader, Store, StoreError, StoredEvent, read_summary,
};
use mageyard_lab::{Lab, recorded_episode};

/// The file with the planned episodes of a cell.
const PLAN: &str = "plan.jsonl";

/// A cell and its episodes.
#[derive(Clone, Debug)]
pub struct CellStatus {
    /// Its name.
    pub name: String,
    /// What the control folder says of it.
    pub state: CellState,
    /// The planned episodes; `None` until a worker has written the plan of the cell.
    pub planned: Option<usize>,
    /// The episodes that were started.
    pub started: usize,
    /// The episodes that are over.
    pub finished: usize,
    /// The episodes whose journal cannot be read.
    pub unreadable: usize,
    /// The requests of all episodes; those under way are missing.
    pub spent: TokenTotals,
    /// The model, if requests were sent.
    pub model: Option<String>,
    /// The requests by model.
    pub models: Vec<ModelTotals>,
    /// The journals without a summary whose last event does not say whether the episode is over.
    undecided: Vec<PathBuf>,
}

/// Why the status of a sweep cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StatusError {
    /// The control folder cannot be read.
    #[error(transparent)]
    Claims(#[from] ClaimError),
    /// The episodes cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The status of every cell of the sweep in this folder, by name. Several threads read the summaries; an episode that has
/// none is restored if its last event does not say whether it is over, as after a kill just before the summary.
pub async fn sweep_status(lab: &Lab, folder: &Path) -> Result<Vec<CellStatus>, StatusError> {
    let mut cells = read_cells(folder)?;
    for cell in &mut cells {
        for journal in std::mem::take(&mut cell.undecided) {
            let restored = recorded_episode(lab, journal).restore().await;
            let is_over = restored.is_ok_and(|restored| restored.episode.ending().is_some());
            cell.finished += usize::from(is_over);
        }
    }
    Ok(cells)
}

fn read_cells(folder: &Path) -> Result<Vec<CellStatus>, StatusError> {
    let cells: Vec<(String, CellState)> = cell_states(folder)?.into_iter().collect();
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = cells.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let read = |part: &[(String, CellState)]| -> Result<Vec<CellStatus>, StatusError> {
            part.iter().map(|(name, state)| cell_status(folder, name, state.clone())).collect()
        };
        let parts: Vec<_> = cells.chunks(share).map(|part| scope.spawn(move || read(part))).collect();
        let parts = parts
            .into_iter()
            .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok(parts.collect::<Result<Vec<_>, StatusError>>()?.concat())
    })
}

fn cell_status(folder: &Path, name: &str, state: CellState) -> Result<CellStatus, StatusError> {
    let session = folder.join(name);
    let mut status = CellStatus {
        name: name.to_owned(),
        state,
        planned: None,
        started: 0,
        finished: 0,
        unreadable: 0,
        spent: TokenTotals::default(),
        model: None,
        models: Vec::new(),
        undecided: Vec::new(),
    };
    let plan = read_if_there(&session.join(PLAN)).map_err(|source| StoreError::Disk {
        path: session.join(PLAN),
        access: Access::Read,
        source,
    })?;
    let Some(plan) = plan else { return Ok(status) };
    status.planned = Some(plan.lines().count());
    let head = plan.lines().next().and_then(|line| serde_json::from_str::<Head>(line).ok());
    let model = head.as_ref().and_then(Head::model);
    match Store::new(folder).journals(name) {
        Err(StoreError::NoJournal { .. }) => {}
        journals => {
            for journal in &journals? {
                status.add_episode(journal, is_copy(folder, journal), model);
            }
        }
    }
    if status.spent.requests > 0 {
        status.model = model.map(str::to_owned);
    }
    Ok(status)
}

fn read_if_there(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        text => text.map(Some),
    }
}

impl CellStatus {
    /// Adds an episode in which this model decides. What a copy has spent is counted where it was played.
    fn add_episode(&mut self, journal: &Path, is_copy: bool, model: Option<&str>) {
        self.started += 1;
        if let Some(summary) = read_summary(journal) {
            self.finished += usize::from(summary.ending.is_some());
            if !is_copy {
                let EpisodeSummary { spent, models, .. } = summary;
                let only = || vec![ModelTotals { model: model.map(str::to_owned), spent }];
                self.add(if models.is_empty() { only() } else { models });
            }
            return;
        }
        match read_events(journal) {
            Some((models, is_over)) => {
                self.add(models);
                self.finished += usize::from(is_over);
                if !is_over {
                    self.undecided.push(journal.to_owned());
                }
            }
            None => self.unreadable += 1,
        }
    }

    fn add(&mut self, models: Vec<ModelTotals>) {
        for ModelTotals { model, spent } in models {
            self.spent = self.spent.plus(spent);
            ModelTotals::add(&mut self.models, model.as_deref(), spent);
        }
    }
}

/// What the requests in an unfinished journal have spent by model, and whether its last event ends every episode. `None` if it
/// cannot be read.
fn read_events(journal: &Path) -> Option<(Vec<ModelTotals>, bool)> {
    let mut reader = JournalReader::open(journal).ok()?;
    let head = reader.first_head().clone();
    let mut models = Vec::new();
    let mut role = None;
    let mut is_over = false;
    while let Some(line) = reader.next_line().ok()? {
        is_over = line.stored.is_last() || head.verdict_limit.is_none() && line.stored.is_final();
        match &line.stored {
            StoredEvent::Sent { .. } => role = None,
            StoredEvent::SideSent { asking, .. } => role = SideRole::named(&asking.prompt),
            event => {
                let model = role.map_or(head.model(), |role| head.model_of(role));
                ModelTotals::add(&mut models, model, spent_on(event));
            }
        }
    }
    models.retain(|of| of.spent.requests > 0);
    Some((models, is_over))
}

fn spent_on(event: &StoredEvent) -> TokenTotals {
    match event {
        StoredEvent::Failed { outcome, usage, .. } | StoredEvent::SideFailed { outcome, usage, .. } => {
            TokenTotals::of(*outcome, *usage)
        }
        // In older journals, which have no event for the failure itself.
        StoredEvent::Retried { why: Some(_), refused } => {
            let outcome = if *refused { RequestOutcome::Refused } else { RequestOutcome::Failed };
            TokenTotals::of(outcome, None)
        }
        StoredEvent::Replied(reply) | StoredEvent::SideReplied { reply, .. } => {
            TokenTotals::of_request(reply.usage)
        }
        StoredEvent::Cut(reply) | StoredEvent::SideCut(reply) => {
            TokenTotals::of(RequestOutcome::Cancelled, reply.usage)
        }
        _ => TokenTotals::default(),
    }
}
