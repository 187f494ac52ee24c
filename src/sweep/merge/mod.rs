//! Merging: joins folders of one sweep that were filled on machines without a shared folder.
//!
//! Everything is checked before anything is written: the seals of all journals, and that a cell that is in two folders is
//! equal in both. Each missing cell is then claimed in the target like by a worker, copied to a folder beside it, and
//! renamed; so a merge can be interrupted and repeated, and workers of the target can run meanwhile.

mod compare;
mod copy;
mod error;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::compare::{compare_cells, has_episodes, verify_journals};
use self::copy::copy_cell;
pub use self::error::MergeError;
use super::claims::{CONTROL_FOLDER, CellState, Claim, Claims, End, Next, State, Timing, cell_states};

/// The file of the sweep in the control folder.
const SWEEP_FILE: &str = "sweep.toml";

/// What a merge does with a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedCell {
    /// Its name.
    pub cell: String,
    /// The folder that has it.
    pub source: PathBuf,
    /// The number of its journals.
    pub episodes: usize,
    /// Whether the target has it already, with equal journals; otherwise it is copied.
    pub equal: bool,
    end: End,
}

/// The cells of several folders, checked, and not merged yet.
#[derive(Debug)]
pub struct Merge {
    target: PathBuf,
    sources: Vec<PathBuf>,
    /// What happens with each cell of the sources.
    pub cells: Vec<MergedCell>,
}

impl Merge {
    /// Checks everything without a change: fails if a journal is damaged, a cell differs between two of the folders, or a
    /// worker has claimed a cell that would be copied.
    pub fn plan(target: &Path, sources: &[PathBuf]) -> Result<Self, MergeError> {
        let there = cell_states(target)?;
        let mut first: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut cells = Vec::new();
        for source in sources {
            if !source.join(CONTROL_FOLDER).is_dir() {
                return Err(MergeError::NotASweep { folder: source.clone() });
            }
            for (cell, state) in cell_states(source)? {
                let folder = source.join(&cell);
                if !has_episodes(&folder)? {
                    continue;
                }
                let episodes = verify_journals(&folder)?;
                let own = target.join(&cell);
                let other = first.entry(cell.clone()).or_insert_with(|| source.clone()).join(&cell);
                let equal = has_episodes(&own)?;
                let known = if equal { Some(own) } else { (other != folder).then_some(other) };
                if let Some(known) = &known {
                    compare_cells(known, &folder)?;
                }
                if !equal {
                    refuse_claimed(target, &cell, there.get(&cell))?;
                }
                let end = end_of(&state);
                cells.push(MergedCell {
                    cell,
                    source: source.clone(),
                    episodes,
                    equal: known.is_some(),
                    end,
                });
            }
        }
        Ok(Self { target: target.to_owned(), sources: sources.to_vec(), cells })
    }

    /// Copies the cells that are missing. `copied` is called after each.
    pub fn run(&self, label: &str, mut copied: impl FnMut(&MergedCell)) -> Result<(), MergeError> {
        let missing: BTreeMap<&str, &MergedCell> =
            self.cells.iter().filter(|cell| !cell.equal).map(|cell| (cell.cell.as_str(), cell)).collect();
        let mut claims = Claims::open(&self.target, label, Timing::default())?;
        self.copy_sweep_file()?;
        claims.add(missing.keys().copied())?;
        let mut left = missing;
        let mut unfinished = Vec::new();
        while !left.is_empty() {
            let Next::Claimed(claim) = claims.claim_next()? else { break };
            if let Some(cell) = left.remove(claim.cell()) {
                self.copy(&claim, cell)?;
                copied(cell);
                match &cell.end {
                    // At once it would be claimed again here.
                    End::Release => unfinished.push(claim),
                    end => claim.finish(end)?,
                }
            }
        }
        unfinished.iter().try_for_each(release)?;
        left.keys().next().map_or(Ok(()), |cell| Err(self.not_free(cell)))
    }

    fn copy(&self, claim: &Claim, cell: &MergedCell) -> Result<(), MergeError> {
        let staged = self.target.join(CONTROL_FOLDER).join("merging").join(&cell.cell);
        let renew = || claim.guard().check().map_err(|_| self.not_free(&cell.cell));
        copy_cell(&cell.source.join(&cell.cell), &staged, &self.target.join(&cell.cell), &renew)
    }

    fn not_free(&self, cell: &str) -> MergeError {
        MergeError::NotFree { cell: cell.to_owned(), target: self.target.clone() }
    }

    /// A new target gets the file of the first source that has one.
    fn copy_sweep_file(&self) -> Result<(), MergeError> {
        let path = |folder: &Path| folder.join(CONTROL_FOLDER).join(SWEEP_FILE);
        let own = path(&self.target);
        let first = self.sources.iter().map(|source| path(source)).find(|file| file.is_file());
        match first {
            Some(file) if !own.exists() => copy::copy_file(&file, &own),
            _ => Ok(()),
        }
    }
}

/// The state that the cell gets in the target. A cell that was not finished is continued there.
fn end_of(state: &CellState) -> End {
    match (state.state, &state.reason) {
        (State::Done, _) => End::Done,
        (State::Failed, Some(reason)) => End::Failed(reason.clone()),
        (State::Parked, Some(reason)) => End::Parked(reason.clone()),
        _ => End::Release,
    }
}

/// Puts a copied cell into the queue. If the copying took long, a worker may have taken it over already.
fn release(claim: &Claim) -> Result<(), MergeError> {
    match claim.finish(&End::Release) {
        Err(error) if !error.is_lost() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Only a cell in the queue of the target can be copied.
fn refuse_claimed(target: &Path, cell: &str, state: Option<&CellState>) -> Result<(), MergeError> {
    match state.map(|state| state.state) {
        None | Some(State::Queued) => Ok(()),
        Some(_) => Err(MergeError::NotFree { cell: cell.to_owned(), target: target.to_owned() }),
    }
}
