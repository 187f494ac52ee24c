//! Means and their standard errors.

use super::levels::{LevelSample, clusters};
use super::number;

/// The arithmetic mean; `None` for no values.
pub fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = number(values.len());
    (count > 0.0).then(|| values.sum::<f64>() / count)
}

/// The mean of samples, in which each episode counts the same.
pub fn sample_mean(samples: &[LevelSample]) -> Option<f64> {
    mean(clusters(samples).concat().into_iter())
}

/// The standard error of the mean, clustered by level: episodes of the same level are not independent. With one
/// episode per level it is the usual s/√n (with n - 1 in the variance). If all episodes are of one level, each of
/// them is a cluster of its own. `None` for fewer than two episodes.
///
/// With g clusters and the deviations d of all n values from their mean it is
/// √(g / (g - 1) · Σ over clusters (Σ d)²) / n (Miller 2024, "Adding Error Bars to Evals", section 2.2, with the
/// small-sample factor).
pub fn standard_error(samples: &[LevelSample]) -> Option<f64> {
    cluster_error(&clusters(samples))
}

/// The mean of these values; `None` for none.
pub(super) fn cluster_mean(values: &[f64]) -> Option<f64> {
    mean(values.iter().copied())
}

/// The standard error of the mean over all values of these clusters.
pub(super) fn cluster_error(clusters: &[Vec<f64>]) -> Option<f64> {
    let n: usize = clusters.iter().map(Vec::len).sum();
    let mean = clusters.iter().flatten().sum::<f64>() / number(n);
    let sum = |values: &Vec<f64>| values.iter().map(|value| value - mean).sum::<f64>();
    let squares: f64 = clusters.iter().map(|values| sum(values).powi(2)).sum();
    let g = number(clusters.len());
    (g > 1.0).then(|| (squares * g / (g - 1.0)).sqrt() / number(n))
}
