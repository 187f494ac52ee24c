//! Intervals of shares.

use super::bounded::bounded_interval;
use super::comparison::share;
use super::distributions::normal_quantile;
use super::levels::{LevelSample, clusters};
use super::{CONFIDENCE, Interval, number};

/// A share of some cases with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// How many there are.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The interval; `None` if there are no cases.
    pub interval: Option<Interval>,
}

impl Share {
    /// The share of `count` out of `of` independent cases, with the interval of Wilson.
    pub fn of(count: usize, of: usize) -> Self {
        Self { count, of, interval: wilson_interval(number(count), number(of)) }
    }

    /// The share of the samples with the value 1, of which the others have 0, with the interval of [`share_interval`].
    pub fn of_samples(samples: &[LevelSample]) -> Self {
        let count = samples.iter().filter(|sample| sample.value > 0.5).count();
        Self { count, of: samples.len(), interval: share_interval(samples) }
    }

    /// The share from 0 to 1; `None` if there are no cases.
    pub fn value(self) -> Option<f64> {
        share(self.count, self.of)
    }
}

/// The 95 % interval of a share of which `count` of `n` independent cases were found (Wilson 1927, without continuity
/// correction). It is never empty and never leaves 0 to 1. `n` need not be whole. `None` for no cases.
pub fn wilson_interval(count: f64, n: f64) -> Option<Interval> {
    let z = normal_quantile(0.5 + CONFIDENCE / 2.0);
    let share = count / n;
    let center = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let within = |end: f64| end.clamp(0.0, 1.0);
    (n > 0.0).then(|| Interval { low: within(center - half), high: within(center + half) })
}

/// The 95 % interval of the share of samples with the value 1, of which the others have 0. With one episode of each level
/// it is Wilson's. Repeats of a level are not independent, and how much they have in common is estimated from few levels,
/// which Wilson's does not know: then it is the interval of a mean from 0 to 1 (in `bounded.rs`).
pub fn share_interval(samples: &[LevelSample]) -> Option<Interval> {
    let clusters = clusters(samples);
    if clusters.iter().any(|values| values.len() > 1) {
        return bounded_interval(&clusters, Interval { low: 0.0, high: 1.0 }, CONFIDENCE);
    }
    wilson_interval(clusters.concat().iter().sum(), number(clusters.len()))
}
