//! The folder of a sweep: a store whose sessions are its cells.

use mageyard_lab::{agent_options, config_for, recorded_episode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::claims::{CONTROL_FOLDER, WorkerName};
use super::plan::{PlannedCell, SweepPlan};
use mageyard_config::{Problem, SourceFile};
use mageyard_domain::Prices;
use mageyard_engine::{AtomicFile, SWEEPS_FOLDER, Store, StoreError};
use mageyard_lab::{EpisodeSpent, Lab, LabError, Spending};

/// The file of the sweep in its control folder, with the overrides of the command line.
const SOURCE_FILE: &str = "sweep.toml";
/// The folder in the control folder with what each process has spent.
const SPENDING_FOLDER: &str = "spending";
/// The size limit of the file of the sweep, in bytes.
const SOURCE_LIMIT: u64 = 1 << 21;

/// The folder of the sweep with this name in a store with this root.
pub fn sweep_folder(store: &Path, name: &str) -> PathBuf {
    store.join(SWEEPS_FOLDER).join(name)
}

/// The stores of all sweeps in a store.
pub(crate) fn sweep_stores(store: &Store) -> Result<Vec<Store>, StoreError> {
    let names = store.sweeps()?;
    Ok(names.into_iter().map(|name| Store::new(sweep_folder(store.root(), &name))).collect())
}

/// The file of the sweep in this folder, with the overrides with which it was run last.
pub fn recorded_source(folder: &Path) -> Result<SourceFile, Problem> {
    SourceFile::read(folder.join(CONTROL_FOLDER).join(SOURCE_FILE), SOURCE_LIMIT)
}

/// The journals of a cell in the folder of its sweep, in order; none if no episode has started.
pub fn cell_journals(folder: &Path, cell: &str) -> Result<Vec<PathBuf>, StoreError> {
    match Store::new(folder).journals(cell) {
        Err(StoreError::NotFound { .. } | StoreError::NoJournal { .. }) => Ok(Vec::new()),
        journals => journals,
    }
}

impl SweepPlan {
    /// Its folder in a store with this root.
    pub fn folder(&self, store: &Path) -> PathBuf {
        sweep_folder(store, &self.name)
    }

    /// Keeps its file, with the overrides, in its folder, which must have been opened for claims.
    pub fn write_source(&self, folder: &Path) -> io::Result<()> {
        let path = folder.join(CONTROL_FOLDER).join(SOURCE_FILE);
        if fs::read(&path).is_ok_and(|there| there == self.source.as_bytes()) {
            return Ok(());
        }
        AtomicFile::stage(&path, self.source.as_bytes())?.replace().map(drop)
    }
}

/// The models that the cells of a sweep ask.
pub fn sweep_models(lab: &Lab, plan: &SweepPlan) -> Result<BTreeSet<String>, LabError> {
    plan.cells.iter().filter_map(|cell| cell_model(lab, cell).transpose()).collect()
}

/// A model that the cells of a sweep ask and that has no price here, so that their cost cannot be limited.
pub fn unpriced_model(lab: &Lab, plan: &SweepPlan, prices: &Prices) -> Result<Option<String>, LabError> {
    Ok(sweep_models(lab, plan)?.into_iter().find(|model| prices.find(model).is_none()))
}

/// The model that the agent of a cell asks; `None` for an agent without a model.
pub fn cell_model(lab: &Lab, cell: &PlannedCell) -> Result<Option<String>, LabError> {
    let Some(level) = cell.levels.first() else { return Ok(None) };
    let config = config_for(lab, &cell.config, level.spec)?;
    let Some(row) = lab.agent(&config.settings().play.agent) else { return Ok(None) };
    let options = agent_options(lab, row, &config)?;
    Ok(row.model(&options).map(str::to_owned))
}

/// Counts what the episodes in the folder of a sweep have spent before, and from now on also what the other
/// processes spend that run it. An episode that cannot be read is an error if there is a limit; otherwise it is logged
/// and left out.
pub async fn count_spending(
    lab: &Lab,
    folder: &Path,
    plan: &SweepPlan,
    spending: &Spending,
    worker: &WorkerName,
) -> Result<(), LabError> {
    let cells = plan.cells.iter().map(|cell| cell.name.clone()).collect();
    let shared = folder.join(CONTROL_FOLDER).join(SPENDING_FOLDER);
    spending.share(shared, worker.as_str(), cells).map_err(LabError::failed)?;
    for cell in plan.cells.iter().filter(|cell| folder.join(&cell.name).is_dir()) {
        let model = cell_model(lab, cell)?;
        for journal in cell_journals(folder, &cell.name)? {
            let recording = recorded_episode(lab, &journal);
            match recording.summary() {
                Some(summary) => {
                    let over = summary.ending.is_some();
                    let spent = EpisodeSpent::of_summary(model.as_deref(), &summary);
                    spending.count(&journal, spent, over);
                }
                None => match recording.restore().await {
                    Ok(restored) => {
                        spending.count(&journal, EpisodeSpent::of(&restored.episode), false);
                    }
                    // A limit cannot hold if it is not known what was spent.
                    Err(error) if spending.has_limits() => return Err(error),
                    Err(error) => {
                        tracing::warn!(%error, "the requests of an episode are not counted");
                        spending.note_uncounted(error.to_string());
                    }
                },
            }
        }
    }
    Ok(())
}
