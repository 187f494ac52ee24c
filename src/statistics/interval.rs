//! Intervals for means of samples that are nested in levels.
//!
//! Simpler intervals miss the mean too often (`docs/report.md` has the figures): percentiles of two-level resampling
//! with few levels, the same scaled to the clustered error where differences are mostly zero, and all that follow from a
//! standard error near the ends of the range of the values. So each end is the widest of three.

use super::bounded::{FEWEST_DIFFERING, bounded_interval, differing, range_with};
use super::distributions::{normal_probability, t_quantile};
use super::levels::{LevelSample, clusters};
use super::mean::{cluster_error, cluster_mean};
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
    pub(super) fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The part of the interval that is in a range.
    pub(super) fn within(self, range: Self) -> Self {
        Self { low: self.low.clamp(range.low, range.high), high: self.high.clamp(range.low, range.high) }
    }

    /// The interval with both ends multiplied by a positive number.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }
}

/// The 95 % interval of the mean for levels like these; `None` for fewer than two episodes. With a range of the values,
/// such as 0 to 100, its ends do not leave it.
///
/// With fewer than ten levels it is the t interval of the clustered standard error: mean ± t(levels - 1) · SE. With ten
/// or more, levels are resampled first and repeats inside them, 2000 times, and each end is the wider one of the t
/// interval and of the resampled one. Two corrections make the resampled interval as wide as its level says: resampling
/// at two levels counts the variation of repeats twice (Davison and Hinkley 1997, section 3.8), so deviations are scaled
/// to the clustered standard error; and percentiles of few levels are too narrow, so those are taken that belong to
/// Student's t (the expanded percentile of Hesterberg 2015, section 4.3.3).
///
/// With a range each end is the wider one of this interval and of the one for values in a range, which is right near the
/// ends (in `bounded.rs`). Where fewer than six levels differ from the others it is that one alone, or `None` without a range:
/// the spread of so few says nothing. `benches/coverage.rs` measures how often the interval contains the true mean.
///
/// If all episodes are of one level, each of them is a cluster, and the interval says nothing about other levels.
pub fn mean_interval(samples: &[LevelSample], range: Option<Interval>) -> Option<Interval> {
    cluster_interval(&clusters(samples), range)
}

/// The same for the values of clusters.
pub(super) fn cluster_interval(clusters: &[Vec<f64>], range: Option<Interval>) -> Option<Interval> {
    let range = range.map(|range| range_with(range, clusters));
    let bounded = range.and_then(|range| bounded_interval(clusters, range, CONFIDENCE));
    if differing(clusters) < FEWEST_DIFFERING.min(clusters.len()) {
        return bounded;
    }
    let spread = spread_interval(clusters)?;
    let Some(range) = range else { return Some(spread) };
    Some(bounded.map_or(spread, |bounded| bounded.hull(spread.within(range))))
}

/// The interval from the spread of the values.
pub(super) fn spread_interval(clusters: &[Vec<f64>]) -> Option<Interval> {
    let error = cluster_error(clusters)?;
    let mean = cluster_mean(&clusters.concat())?;
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
