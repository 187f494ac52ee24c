//! The best of n repeats (`MageBench`, section on best-of-N results).

use super::interval::{Interval, cluster_interval};
use super::levels::{LevelSample, by_level};
use super::mean::mean;
use super::number;

/// A point of the curve: the expected best score of n repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestOf {
    /// The number of repeats.
    pub n: usize,
    /// The mean over levels.
    pub mean: f64,
    /// Its 95 % interval; `None` for a single level.
    pub band: Option<Interval>,
}

/// The curve for n from 1 to the smallest number of repeats that a level has, so that every point is over the same
/// levels. Each level counts the same. The band stays in the range of the values, such as 0 to 100.
///
/// For a level with N scores the expected maximum of n of them is unbiased over the choice of the n:
/// Σ over i from n to N of C(i - 1, n - 1) / C(N, n) · x(i), with the scores x in ascending order. The variation of
/// repeats is in the value of each level, so the band resamples levels only: a maximum over repeats that are drawn with
/// replacement is too small.
pub fn best_of(samples: &[LevelSample], range: Option<Interval>) -> Vec<BestOf> {
    let sorted = |level: Vec<&LevelSample>| {
        let mut scores: Vec<f64> = level.into_iter().map(|sample| sample.value).collect();
        scores.sort_by(f64::total_cmp);
        scores
    };
    let levels: Vec<Vec<f64>> = by_level(samples).into_values().map(sorted).collect();
    let most = levels.iter().map(Vec::len).min().unwrap_or(0);
    (1..=most).filter_map(|n| point(&levels, n, range)).collect()
}

fn point(levels: &[Vec<f64>], n: usize, range: Option<Interval>) -> Option<BestOf> {
    let best: Vec<f64> = levels.iter().map(|scores| expected_best(scores, n)).collect();
    let clusters: Vec<Vec<f64>> = best.iter().map(|best| vec![*best]).collect();
    let band = cluster_interval(&clusters, range);
    Some(BestOf { n, mean: mean(best.into_iter())?, band })
}

/// The mean maximum over all choices of n of these ascending scores. The weight of the highest score is n/N, and each
/// lower weight follows from the one above it, so that no binomial coefficient is computed.
fn expected_best(ascending: &[f64], n: usize) -> f64 {
    let mut weight = number(n) / number(ascending.len());
    let mut sum = 0.0;
    for (index, score) in ascending.iter().enumerate().rev().take_while(|(index, _)| index + 1 >= n) {
        sum += weight * score;
        // C(i - 1, n - 1) / C(i, n - 1) = (i - n + 1) / i, for i = index.
        weight *= number(index + 1 - n) / number(index.max(1));
    }
    sum
}
