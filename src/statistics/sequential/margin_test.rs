//! Whether a candidate is not worse than the reference by more than a margin, at one look.

use crate::bounded::{FEWEST_DIFFERING, bounded_difference, differing};
use crate::distributions::{normal_quantile, t_probability, t_quantile};
use crate::levels::{LevelSample, clusters};
use crate::mean::{cluster_error, cluster_mean};
use crate::sign_flip::differing_sums;
use crate::{Interval, number};

/// The most levels that are proposed where few differ.
const MOST_LEVELS: u32 = 20_000;

/// Differences of pairs, candidate minus reference, compared with a margin. More is better.
///
/// The statistic is t = (mean + margin) / error with levels as clusters, corrected for skewness, with one degree of freedom less
/// than levels. At a look it is compared with the quantile of Student's t for the nominal level of the look (Jennison and Turnbull 2000, section
/// 3.8): what spending functions say of normal values is so used for few levels.
///
/// Where fewer than six levels differ, or all by the same, there is no statistic: the bounds follow from how many levels differ and
/// from the width of the range of scores, as those of [`paired_difference`](crate::paired_difference).
#[derive(Clone, Debug, PartialEq)]
pub struct MarginTest {
    /// The number of pairs.
    pub pairs: usize,
    /// The number of levels.
    pub levels: usize,
    /// The mean difference.
    pub mean: f64,
    /// Its standard error, clustered by level.
    pub error: f64,
    /// The statistic as a standard normal value with the same p value; `None` if too few levels differ.
    pub z: Option<f64>,
    skew: Skew,
    margin: f64,
    width: Option<f64>,
    clusters: Vec<Vec<f64>>,
}

/// The ends of the repeated confidence interval at a look: over all looks, each end is beyond the true difference with at most
/// the error of the design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginBounds {
    /// Both ends.
    pub interval: Interval,
    /// Whether the lower end is above minus the margin.
    pub is_not_worse: bool,
    /// Whether the upper end is below minus the margin.
    pub is_worse: bool,
}

impl MarginTest {
    /// The test of these differences. `margin` is above 0 and `width` the width of the range of scores, both in their unit; without
    /// a range nothing follows where few levels differ. `None` for fewer than two levels with pairs (or two pairs, if all are of one level).
    pub fn of(differences: &[LevelSample], margin: f64, width: Option<f64>) -> Option<Self> {
        let clusters = clusters(differences);
        let error = cluster_error(&clusters)?;
        let mean = cluster_mean(&clusters.concat())?;
        let skew = Skew::of(&clusters, mean);
        let has_spread = error > 0.0 && has_spread(&clusters);
        let z = has_spread.then(|| {
            let t = skew.corrected((mean + margin) / error);
            let p = t_probability(-t, number(clusters.len()) - 1.0);
            -normal_quantile(p.clamp(1e-15, 1.0 - 1e-15))
        });
        let largest = clusters.iter().flatten().map(|value| value.abs()).fold(0.0, f64::max);
        let width = width.map(|width| width.max(largest));
        let pairs = differences.len();
        Some(Self { pairs, levels: clusters.len(), mean, error, z, skew, margin, width, clusters })
    }

    /// The bounds at a look with this nominal level, one-sided. `None` if nothing is significant at it, or nothing follows.
    pub fn bounds(&self, nominal: f64) -> Option<MarginBounds> {
        if nominal <= 0.0 {
            return None;
        }
        let interval = match self.z {
            Some(_) => self.spread_interval(nominal),
            None => bounded_difference(&self.clusters, self.width?, 1.0 - 2.0 * nominal)?,
        };
        let within = |width: f64| interval.within(Interval { low: -width, high: width });
        Some(MarginBounds {
            interval: self.width.map_or(interval, within),
            is_not_worse: interval.low > -self.margin,
            is_worse: interval.high < -self.margin,
        })
    }

    fn spread_interval(&self, nominal: f64) -> Interval {
        let t = t_quantile(1.0 - nominal, number(self.levels) - 1.0);
        let end = |t: f64| self.mean - self.error * self.skew.uncorrected(t);
        Interval { low: end(t), high: end(-t) }
    }

    /// How many levels as many of which differ as of these would be needed for "not worse" at this nominal level, where too few
    /// differ for a statistic; `None` if that is never enough.
    pub fn levels_if_few_differ(&self, nominal: f64) -> Option<u32> {
        let width = self.width?;
        let enough = |levels: u32| {
            let count = usize::try_from(levels).unwrap_or(usize::MAX);
            let like: Vec<Vec<f64>> = self.clusters.iter().cycle().take(count).cloned().collect();
            let bounds = bounded_difference(&like, width, 1.0 - 2.0 * nominal);
            bounds.is_some_and(|interval| interval.low > -self.margin)
        };
        crate::repeats_needed::fewest(2, MOST_LEVELS, enough)
    }
}

/// How far the sums of levels are from symmetric: where a candidate rarely loses, but then much, t finds "not worse" too readily.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Skew {
    skewness: f64,
    levels: f64,
}

impl Skew {
    fn of(clusters: &[Vec<f64>], mean: f64) -> Self {
        let levels = number(clusters.len());
        let sum = |values: &Vec<f64>| values.iter().map(|value| value - mean).sum::<f64>();
        let moment = |power: i32| clusters.iter().map(|values| sum(values).powi(power)).sum::<f64>() / levels;
        let skewness = moment(3) / moment(2).powf(1.5);
        Self { skewness: if skewness.is_finite() { skewness } else { 0.0 }, levels }
    }

    /// The statistic without the effect of the skewness (Hall 1992, "On the removal of skewness by transformation").
    fn corrected(self, t: f64) -> f64 {
        let Self { skewness, levels } = self;
        let w = t / levels.sqrt();
        let cubic = w + skewness * w.powi(2) / 3.0 + skewness.powi(2) * w.powi(3) / 27.0;
        levels.sqrt() * (cubic + skewness / (6.0 * levels))
    }

    /// The statistic whose corrected value is this.
    fn uncorrected(self, t: f64) -> f64 {
        let Self { skewness, levels } = self;
        let v = t / levels.sqrt() - skewness / (6.0 * levels);
        if skewness.abs() < 1e-6 {
            return levels.sqrt() * v;
        }
        levels.sqrt() * 3.0 / skewness * ((1.0 + skewness * v).cbrt() - 1.0)
    }
}

/// Whether so many levels differ that their spread says something.
fn has_spread(clusters: &[Vec<f64>]) -> bool {
    differing_sums(clusters).len() >= FEWEST_DIFFERING && differing(clusters) >= FEWEST_DIFFERING
}
