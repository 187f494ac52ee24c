//! The difference between two cells that played the same levels.

use std::collections::{BTreeMap, BTreeSet};

use super::CONFIDENCE;
use super::bounded::{FEWEST_DIFFERING, bounded_difference};
use super::comparison::DifferenceTest;
use super::interval::{Interval, spread_interval};
use super::levels::{LevelSample, by_level, clusters};
use super::mean::{cluster_error, sample_mean, standard_error};
use super::repeats_needed::visible_errors;
use super::sign_flip::{differing_sums, flip_test};

/// The mean difference of a cell from another one over the levels and repeats that both have.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedDifference {
    /// The differences, each with its level and repeat.
    pub pairs: Vec<LevelSample>,
    /// Their mean; `None` if there are no pairs.
    pub mean: Option<f64>,
    /// Its standard error, clustered by level.
    pub error: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// The levels whose differences have a sum that is not zero; pairs if all are of one level.
    pub differing: usize,
    /// The test that flips the signs of whole levels ([`sign_flip_test`](crate::sign_flip_test)). The smallest visible
    /// difference is one that is found with a probability of 0.8 with pairs like these.
    pub test: DifferenceTest,
    /// The levels with an episode in only one of the cells, or with repeats that do not match: they do not count, or
    /// not all their episodes do.
    pub unpaired: BTreeSet<String>,
}

impl PairedDifference {
    /// The difference over the pairs of several differences that are on the same levels, of values in this range.
    pub fn pooled(differences: impl Iterator<Item = Self>, range: Option<Interval>) -> Self {
        let mut pairs = Vec::new();
        let mut unpaired = BTreeSet::new();
        for difference in differences {
            pairs.extend(difference.pairs);
            unpaired.extend(difference.unpaired);
        }
        Self::of_pairs(pairs, unpaired, range)
    }

    fn of_pairs(pairs: Vec<LevelSample>, unpaired: BTreeSet<String>, range: Option<Interval>) -> Self {
        let clusters = clusters(&pairs);
        let sums = differing_sums(&clusters);
        let differing = sums.len();
        let error = standard_error(&pairs);
        let interval = difference_interval(&clusters, differing, range);
        let p = flip_test(&sums);
        // The spread of fewer says nothing.
        let errors = visible_errors(clusters.len()).filter(|_| differing >= FEWEST_DIFFERING);
        let test = DifferenceTest {
            p,
            corrected: p,
            smallest_visible: errors.zip(error).map(|(errors, error)| errors * error),
            // Without a spread the interval is a bound for what was never seen, and the test alone decides.
            has_zero: error != Some(0.0) && interval.is_none_or(|interval| interval.contains(0.0)),
        };
        Self { mean: sample_mean(&pairs), error, interval, differing, test, pairs, unpaired }
    }

    /// The number of levels with pairs.
    pub fn levels(&self) -> usize {
        by_level(&self.pairs).len()
    }
}

/// The difference `cell` - `reference`. Episodes are paired by level and repeat; if a level has a repeat several times,
/// those are paired in the order of their seeds.
///
/// The interval is that of the spread of the pairs. Where fewer than six levels differ, or all by the same, it follows from how
/// many do and from the range of the values, such as 0 to 100; without a range there is none.
pub fn paired_difference(
    cell: &[LevelSample],
    reference: &[LevelSample],
    range: Option<Interval>,
) -> PairedDifference {
    let of_cell = by_level(cell);
    let of_reference = by_level(reference);
    let levels: BTreeSet<&str> = of_cell.keys().chain(of_reference.keys()).copied().collect();
    let mut pairs = Vec::new();
    let mut unpaired = BTreeSet::new();
    for level in levels {
        let one = of_cell.get(level).map(Vec::as_slice).unwrap_or_default();
        let other = of_reference.get(level).map(Vec::as_slice).unwrap_or_default();
        let found = level_pairs(one, other);
        if found.len() < one.len().max(other.len()) {
            unpaired.insert(level.to_owned());
        }
        pairs.extend(found);
    }
    PairedDifference::of_pairs(pairs, unpaired, range)
}

/// The interval of a mean difference of values in this range.
fn difference_interval(clusters: &[Vec<f64>], differing: usize, range: Option<Interval>) -> Option<Interval> {
    let largest = clusters.iter().flatten().map(|value| value.abs()).fold(0.0, f64::max);
    let width = range.map(|range| (range.high - range.low).max(largest));
    if differing < FEWEST_DIFFERING || cluster_error(clusters) == Some(0.0) {
        return bounded_difference(clusters, width?, CONFIDENCE);
    }
    let spread = spread_interval(clusters)?;
    Some(width.map_or(spread, |width| spread.within(Interval { low: -width, high: width })))
}

/// The differences of a level.
fn level_pairs(cell: &[&LevelSample], reference: &[&LevelSample]) -> Vec<LevelSample> {
    let reference: BTreeMap<_, f64> = numbered(reference).map(|(key, sample)| (key, sample.value)).collect();
    let pair = |(key, sample): ((u32, usize), &LevelSample)| {
        let value = sample.value - reference.get(&key)?;
        Some(LevelSample { value, ..sample.clone() })
    };
    numbered(cell).filter_map(pair).collect()
}

/// The samples with the number of their repeat, and which one with this number they are.
fn numbered<'a>(samples: &[&'a LevelSample]) -> impl Iterator<Item = ((u32, usize), &'a LevelSample)> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    samples.iter().map(move |sample| {
        let count = counts.entry(sample.repeat.number).or_default();
        *count += 1;
        ((sample.repeat.number, *count), *sample)
    })
}
