//! The cells of a sweep.

use std::collections::HashSet;
use std::sync::Arc;

use mageyard_config::Config;
use mageyard_lab::SelectedLevel;

/// The plan of a sweep: what it would run, and what not.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// Its name: also that of its folder.
    pub name: String,
    /// What it is for, in a sentence; may be empty.
    pub about: String,
    /// The cells to run, in the order of the file.
    pub cells: Vec<PlannedCell>,
    /// The combinations that are not run, in the order of the file.
    pub struck: Vec<StruckCell>,
    /// Settings and values of the cells that others are compared with, each with the nearest; empty if the file names none.
    pub reference: Vec<(String, String)>,
    /// The indexes of these cells.
    pub reference_cells: Vec<usize>,
    /// The difference of scores that is to be seen, in points.
    pub difference: Option<f64>,
    /// A recorded session or sweep that says how much scores vary.
    pub pilot: Option<String>,
    /// Recorded sessions, or folders of them, whose scores the report shows beside those of the cells.
    pub baselines: Vec<String>,
    /// The file with the overrides in it: planned again without overrides, it has the same cells.
    pub source: Arc<str>,
}

/// A cell that is run.
#[derive(Clone)]
pub struct PlannedCell {
    /// A stable name, safe as the name of a file, with at most 100 bytes. It depends only on what determines the
    /// episodes of the cell, so the same cell has the same name in every sweep.
    pub name: String,
    /// The settings that differ between cells of the sweep, with the values of this one, in the order of the file; for an agent
    /// that sends no requests without those of requests.
    pub coordinates: Vec<(String, String)>,
    /// All settings, without the defaults of the environment.
    pub config: Arc<Config>,
    /// The levels, at least one, all of one environment.
    pub levels: Arc<[SelectedLevel]>,
    /// The episodes per level, at least 1.
    pub repeats: u32,
    /// The seed of the first repeat of each level. Each further repeat has the next seed.
    pub seed: u64,
    /// The session whose Global episodes its episodes start from: a cell of the sweep, which is run first, or one that
    /// must be in its folder already.
    pub after: Option<String>,
}

impl SweepPlan {
    /// The cells that start from what another cell of the plan has left, each with that one.
    pub fn required(&self) -> impl Iterator<Item = (&str, &str)> {
        let names: HashSet<&str> = self.cells.iter().map(|cell| cell.name.as_str()).collect();
        let required =
            self.cells.iter().filter_map(|cell| Some((cell.name.as_str(), cell.after.as_deref()?)));
        required.filter(move |(_, after)| names.contains(after))
    }
}

impl PlannedCell {
    /// The name of the part of a sweep that it belongs to: a cell stays with the one that it starts from.
    pub fn shard_name(&self) -> &str {
        self.after.as_deref().unwrap_or(&self.name)
    }

    /// The number of its episodes.
    pub fn episodes(&self) -> usize {
        self.levels.len().saturating_mul(usize::try_from(self.repeats).unwrap_or(usize::MAX))
    }

    /// The name of its environment.
    pub fn environment(&self) -> &'static str {
        self.levels.first().map_or("", |level| level.spec.name())
    }
}

impl std::fmt::Debug for PlannedCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlannedCell").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A combination that is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StruckCell {
    /// The settings that differ between cells of the sweep, with the values of this one.
    pub coordinates: Vec<(String, String)>,
    /// Why it is not run, in a sentence.
    pub reason: String,
    /// The name of the cell that it is equal to, if it is a duplicate.
    pub duplicate_of: Option<String>,
}
