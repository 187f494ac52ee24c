//! Samples and their levels.

use std::collections::BTreeMap;

/// Which repeat of a level an episode is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repeat {
    /// From 1; 0 if the recording does not say.
    pub number: u32,
    /// The random seed. It orders repeats with the same number.
    pub seed: u64,
}

/// A value of an episode, with its level and repeat.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSample {
    /// The level's reference.
    pub level: String,
    /// The repeat.
    pub repeat: Repeat,
    /// The value.
    pub value: f64,
}

/// The samples of each level, by repeat and then by value.
pub(super) fn by_level(samples: &[LevelSample]) -> BTreeMap<&str, Vec<&LevelSample>> {
    let mut levels: BTreeMap<&str, Vec<&LevelSample>> = BTreeMap::new();
    for sample in samples {
        levels.entry(&sample.level).or_default().push(sample);
    }
    for samples in levels.values_mut() {
        samples.sort_by(|one, other| {
            one.repeat.cmp(&other.repeat).then_with(|| one.value.total_cmp(&other.value))
        });
    }
    levels
}

/// The values of each cluster: those of a level, or of each episode alone if all are of one level.
pub(super) fn clusters(samples: &[LevelSample]) -> Vec<Vec<f64>> {
    let values = |samples: Vec<&LevelSample>| samples.iter().map(|sample| sample.value).collect::<Vec<f64>>();
    let mut clusters: Vec<Vec<f64>> = by_level(samples).into_values().map(values).collect();
    if let [only] = clusters.as_mut_slice() {
        return std::mem::take(only).into_iter().map(|value| vec![value]).collect();
    }
    clusters
}
