//! The difference between two cells that played the same levels.

use std::collections::{BTreeMap, BTreeSet};

use super::interval::{Interval, mean_interval};
use super::levels::{LevelSample, by_level};
use super::mean::{sample_mean, standard_error};

/// What a difference says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The interval contains zero: equal cells differ as much.
    InsideNoise,
    /// The interval does not contain zero.
    Different,
    /// There are fewer than two pairs.
    TooFew,
}

impl Verdict {
    /// The verdict as it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Self::InsideNoise => "inside noise",
            Self::Different => "different",
            Self::TooFew => "too few pairs",
        }
    }
}

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
    /// The levels with an episode in only one of the cells, or with repeats that do not match: they do not count, or
    /// not all their episodes do.
    pub unpaired: BTreeSet<String>,
}

impl PairedDifference {
    /// What the difference says.
    pub fn verdict(&self) -> Verdict {
        match self.interval {
            None => Verdict::TooFew,
            Some(interval) if interval.contains(0.0) => Verdict::InsideNoise,
            Some(_) => Verdict::Different,
        }
    }

    /// The number of levels with pairs.
    pub fn levels(&self) -> usize {
        by_level(&self.pairs).len()
    }
}

/// The difference `cell` - `reference`. Episodes are paired by level and repeat; if a level has a repeat several times,
/// those are paired in the order of their seeds.
pub fn paired_difference(cell: &[LevelSample], reference: &[LevelSample]) -> PairedDifference {
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
    let mean = sample_mean(&pairs);
    let error = standard_error(&pairs);
    PairedDifference { mean, error, interval: mean_interval(&pairs), pairs, unpaired }
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
