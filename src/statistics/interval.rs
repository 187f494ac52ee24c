//! Intervals for means of samples that are nested in levels.
//!
//! Two simpler intervals miss the mean too often (`docs/report.md` has the figures): percentiles of two-level
//! resampling with few levels, and the same scaled to the clustered error where differences are mostly zero. So each
//! end is the wider one of two.

use super::distributions::{normal_probability, t_quantile};
use super::levels::{LevelSample, clusters};
use super::mean::cluster_error;
use super::resampling::{resampled_means, sorted_quantile};
use super::{CONFIDENCE, number};

/// With fewer levels than this, resampled levels say too little about the tails.
const FEWEST_RESAMPLED: usize = 10;

/// An interval, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the value is in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The smallest interval that contains both.
    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The interval with both ends multiplied by a positive number.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }
}

/// The 95 % interval of the mean for levels like these; `None` for fewer than two episodes.
///
/// With fewer than ten levels it is the t interval of the clustered standard error: mean ± t(levels - 1) · SE. With ten
/// or more, levels are resampled first and repeats inside them, 2000 times, and each end is the wider one of the t
/// interval and of the resampled one. Two corrections make the resampled interval as wide as its level says: resampling
/// at two levels counts the variation of repeats twice (Davison and Hinkley 1997, section 3.8), so deviations are scaled
/// to the clustered standard error; and percentiles of few levels are too narrow, so those are taken that belong to
/// Student's t (the expanded percentile of Hesterberg 2015, section 4.3.3). `benches/statistics.rs` measures how
/// often the interval misses the true mean.
///
/// If all episodes are of one level, each of them is a cluster, and the interval says nothing about other levels.
pub fn mean_interval(samples: &[LevelSample]) -> Option<Interval> {
    cluster_interval(&clusters(samples))
}

/// The same for the values of clusters.
pub(super) fn cluster_interval(clusters: &[Vec<f64>]) -> Option<Interval> {
    let error = cluster_error(clusters)?;
    let n: usize = clusters.iter().map(Vec::len).sum();
    let mean = clusters.iter().flatten().sum::<f64>() / number(n);
    let t = t_quantile(0.5 + CONFIDENCE / 2.0, number(clusters.len()) - 1.0);
    let student = Interval { low: mean - t * error, high: mean + t * error };
    if clusters.len() < FEWEST_RESAMPLED || error == 0.0 {
        return Some(student);
    }
    let resampled = resampled_interval(clusters, mean, error, normal_probability(-t));
    Some(resampled.map_or(student, |interval| interval.hull(student)))
}

/// The interval between the percentiles `tail` and 1 - `tail` of resampled means, as deviations from the mean that are
/// scaled to this standard error.
fn resampled_interval(clusters: &[Vec<f64>], mean: f64, error: f64, tail: f64) -> Option<Interval> {
    let means = resampled_means(clusters);
    let squares: f64 = means.iter().map(|resampled| (resampled - mean).powi(2)).sum();
    let scale = error / (squares / number(means.len())).sqrt();
    let end = |share| Some(mean + scale * (sorted_quantile(&means, share)? - mean));
    scale.is_finite().then_some(Interval { low: end(tail)?, high: end(1.0 - tail)? })
}
