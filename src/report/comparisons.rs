//! What the paired differences of a report say together: for each reference, how many rows differ from it beyond noise, how
//! many levels a difference would need, and how probable it is for each row that it is the best.

use std::collections::BTreeMap;

use super::condition::Condition;
use super::results::{Best, Difference};
use super::{Groups, MEASURES};
use mageyard_statistics::{
    Correction, Counted, LevelSample, LevelsNeeded, Verdict, levels_needed, probability_of_best,
};

/// The difference, in points of score, for which needed levels are counted if none is stated.
const POINTS: f64 = 5.0;

/// The rows that are compared with one reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The reference.
    pub reference: Condition,
    /// The rows that are compared with it, with the verdict and the mean difference of their scores.
    pub rows: Vec<ComparedRow>,
    /// How p values are corrected.
    pub correction: Correction,
    /// The difference for which needed levels are counted, in points of score.
    pub points: f64,
    /// The levels on which a difference of so many points is found with a probability of 0.8, in each comparison for itself: as many
    /// as the row needs whose pairs vary most. `None` if no row has pairs whose spread is known.
    pub levels_needed: Option<LevelsNeeded>,
    /// The levels that all rows and the reference have, on which the best row is sought; `None` for fewer than two.
    pub common_levels: Option<usize>,
}

/// A row that is compared.
#[derive(Clone, Debug)]
pub struct ComparedRow {
    /// Its settings.
    pub condition: Condition,
    /// The mean difference of its scores; `None` without pairs.
    pub mean: Option<f64>,
    /// What its test says.
    pub verdict: Verdict,
}

impl Comparison {
    /// The number of rows with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Whether the reference and all rows differ in nothing but these settings.
    pub fn differs_only_in(&self, names: &[&str]) -> bool {
        let only =
            |row: &ComparedRow| row.condition.differences(&self.reference).all(|name| names.contains(&name));
        self.rows.iter().all(only)
    }
}

/// Corrects the p values of all differences of scores for their number, and those of each other measure.
pub(super) fn correct_all(differences: &mut [Option<Difference>], correction: Correction) {
    let scores = differences.iter_mut().flatten().map(|found| &mut found.paired.test);
    correction.apply(scores, Counted::Possible);
    for measure in MEASURES {
        let all = differences.iter_mut().flatten().flat_map(|found| &mut found.measures);
        let own = all.filter(|found| found.measure == measure).map(|found| &mut found.paired.test);
        correction.apply(own, Counted::Possible);
    }
}

/// The comparisons of groups whose differences are computed, one for each reference. Sets how probable it is for each group that
/// it is the best of those that are compared with the same reference, and of the reference.
pub(super) fn comparisons(
    groups: &mut Groups,
    correction: Correction,
    points: Option<f64>,
) -> Vec<Comparison> {
    let mut compared: BTreeMap<Condition, Vec<Condition>> = BTreeMap::new();
    for (condition, stats) in &*groups {
        if let Some(found) = &stats.results.difference {
            compared.entry(found.reference.clone()).or_default().push(condition.clone());
        }
    }
    let points = points.unwrap_or(POINTS);
    let mut all = Vec::new();
    for (reference, rows) in compared {
        let common_levels = set_best(groups, &reference, &rows);
        let differences = rows.iter().filter_map(|row| groups.get(row)?.results.difference.as_ref());
        let needed = differences.filter_map(|found| levels_needed(points, &found.paired)).max();
        let rows = rows.into_iter().filter_map(|row| compared_row(groups, row)).collect();
        all.push(Comparison { reference, rows, correction, points, levels_needed: needed, common_levels });
    }
    all
}

fn compared_row(groups: &Groups, condition: Condition) -> Option<ComparedRow> {
    let paired = &groups.get(&condition)?.results.difference.as_ref()?.paired;
    Some(ComparedRow { mean: paired.mean, verdict: paired.test.verdict(), condition })
}

/// Sets the probabilities of these rows and of their reference; returns the number of levels that all have. A reference that is
/// compared with another one keeps the probability among those.
fn set_best(groups: &mut Groups, reference: &Condition, rows: &[Condition]) -> Option<usize> {
    let cells: Vec<&Condition> = std::iter::once(reference).chain(rows).collect();
    let scores: Vec<&[LevelSample]> =
        cells.iter().filter_map(|cell| Some(groups.get(cell)?.scores.as_slice())).collect();
    let found = probability_of_best(&scores)?;
    for (cell, share) in cells.iter().zip(&found.shares) {
        let Some(stats) = groups.get_mut(cell) else { continue };
        if *cell != reference || stats.results.difference.is_none() {
            let best = Best { share: *share, cells: cells.len(), levels: found.levels };
            stats.results.best = Some(best);
        }
    }
    Some(found.levels)
}
