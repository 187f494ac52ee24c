//! What the repeats of a level have in common: whether all, none or some of them are solved, and how probable it is that k of
//! them all are.

use super::interval::cluster_interval;
use super::levels::{LevelSample, by_level};
use super::mean::mean;
use super::{Interval, number};

/// The range of shares.
const SHARES: Interval = Interval { low: 0.0, high: 1.0 };

/// The levels with at least two repeats, by how many of them are solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepeatedLevels {
    /// The levels whose repeats are all solved.
    pub always: usize,
    /// The levels with no solved repeat.
    pub never: usize,
    /// The others: a further repeat can have either result. Those nearest to half come first.
    pub split: Vec<SplitLevel>,
    /// The levels that were played once, of which nothing is known.
    pub once: usize,
}

/// A level with solved and unsolved repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitLevel {
    /// The level's reference.
    pub level: String,
    /// The solved repeats, at least one.
    pub solved: usize,
    /// All repeats, more than `solved`.
    pub of: usize,
}

/// The probability that k repeats of a level are all solved, over levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassHat {
    /// The number of repeats.
    pub k: usize,
    /// The mean over levels, from 0 to 1.
    pub mean: f64,
    /// Its 95 % interval; `None` for a single level.
    pub band: Option<Interval>,
}

impl RepeatedLevels {
    /// The levels of these samples; a value above a half is a solved repeat.
    pub fn of(samples: &[LevelSample]) -> Self {
        let mut found = Self::default();
        for (level, repeats) in by_level(samples) {
            let (solved, of) = counts(&repeats);
            match of {
                0 | 1 => found.once += 1,
                _ if solved == of => found.always += 1,
                _ if solved == 0 => found.never += 1,
                _ => found.split.push(SplitLevel { level: level.to_owned(), solved, of }),
            }
        }
        found.split.sort_by(|one, other| {
            let distances = one.distance_from_half().total_cmp(&other.distance_from_half());
            distances.then_with(|| one.level.cmp(&other.level))
        });
        found
    }

    /// The levels with at least two repeats.
    pub fn repeated(&self) -> usize {
        self.always + self.never + self.split.len()
    }
}

impl SplitLevel {
    fn distance_from_half(&self) -> f64 {
        (number(self.solved) / number(self.of) - 0.5).abs()
    }
}

/// pass^k for k from 1 to the fewest repeats of any level: with c solved of n repeats of a level it is C(c, k)/C(n, k), which is
/// unbiased over the choice of the k (Yao et al. 2024, *τ-bench*, section 4), averaged over levels. It is undefined where a
/// level has fewer than k repeats, so the list ends there. A value above a half is a solved repeat.
pub fn pass_hat(samples: &[LevelSample]) -> Vec<PassHat> {
    let levels: Vec<(usize, usize)> = by_level(samples).values().map(|repeats| counts(repeats)).collect();
    let most = levels.iter().map(|(_, of)| *of).min().unwrap_or(0);
    (1..=most).filter_map(|k| point(&levels, k)).collect()
}

fn point(levels: &[(usize, usize)], k: usize) -> Option<PassHat> {
    let shares: Vec<f64> = levels.iter().map(|(solved, of)| all_solved(*solved, *of, k)).collect();
    let clusters: Vec<Vec<f64>> = shares.iter().map(|share| vec![*share]).collect();
    Some(PassHat { k, mean: mean(shares.into_iter())?, band: cluster_interval(&clusters, Some(SHARES)) })
}

/// C(solved, k) / C(of, k), as a product of k quotients.
fn all_solved(solved: usize, of: usize, k: usize) -> f64 {
    (0..k).map(|i| number(solved.saturating_sub(i)) / number(of - i)).product()
}

/// The solved and all repeats of a level.
fn counts(repeats: &[&LevelSample]) -> (usize, usize) {
    (repeats.iter().filter(|sample| sample.value > 0.5).count(), repeats.len())
}
