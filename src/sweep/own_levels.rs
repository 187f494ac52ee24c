//! References of levels that are cells of their own: a sweep with `levels = ["a/set/1..3", "a/set/4..5"]` has a cell for each,
//! and its report a row, although the levels are of one set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::plan::{PlannedCell, SweepPlan};
use mageyard_engine::Store;

/// The contents of levels.
type Contents = BTreeSet<String>;

/// The references of those cells in the folder of a sweep whose level set has several references in the plan. A cell that
/// is not in the plan any more, as one with fewer repeats, has the smallest reference with all its levels.
pub fn own_level_references(plan: &SweepPlan, folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut sets: BTreeMap<&str, BTreeMap<String, Contents>> = BTreeMap::new();
    for cell in &plan.cells {
        let contents = cell.levels.iter().map(|level| level.level.source.identity().into_owned());
        sets.entry(set(cell)).or_default().insert(reference(cell), contents.collect());
    }
    sets.retain(|_, references| references.len() > 1);
    if sets.is_empty() {
        return BTreeMap::new();
    }
    let of_plan = plan.cells.iter().filter(|cell| sets.contains_key(set(cell)));
    let mut found: BTreeMap<PathBuf, String> =
        of_plan.map(|cell| (folder.join(&cell.name), reference(cell))).collect();
    let store = Store::new(folder);
    let planned: BTreeSet<PathBuf> = plan.cells.iter().map(|cell| folder.join(&cell.name)).collect();
    let others = store.sessions().unwrap_or_default().into_iter().map(|name| folder.join(name));
    for session in others.filter(|session| !planned.contains(session)) {
        let heads = store.read_plan(&session).ok().flatten().unwrap_or_default();
        let contents: Contents = heads.iter().map(|head| head.level.identity().into_owned()).collect();
        let references = sets.values().flatten().filter(|(_, all)| contents.is_subset(all));
        let smallest = references.min_by_key(|(_, all)| all.len()).filter(|_| !contents.is_empty());
        found.extend(smallest.map(|(reference, _)| (session, reference.clone())));
    }
    found
}

/// The reference of the levels of a cell, as it is written.
fn reference(cell: &PlannedCell) -> String {
    cell.config.settings().play.level.clone()
}

/// The set of the levels of a cell: the reference of the first without its number.
fn set(cell: &PlannedCell) -> &str {
    let first = cell.levels.first().map_or("", |level| level.reference.as_str());
    first.rsplit_once(['/', '#']).map_or(first, |(set, _)| set)
}
