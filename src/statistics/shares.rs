//! Intervals of shares.

use super::distributions::normal_quantile;
use super::levels::{LevelSample, clusters};
use super::mean::cluster_error;
use super::{CONFIDENCE, Interval, number};

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

/// The 95 % interval of the share of samples with the value 1, of which the others have 0. Episodes of a level are not
/// independent, so n is the number of independent cases that would have the same clustered standard error (Kish 1965),
/// at most the number of episodes. If all values are equal, that is unknown, and n is the number of levels.
pub fn share_interval(samples: &[LevelSample]) -> Option<Interval> {
    let clusters = clusters(samples);
    let n: usize = clusters.iter().map(Vec::len).sum();
    let share = clusters.iter().flatten().sum::<f64>() / number(n);
    let spread = share * (1.0 - share);
    let independent = match cluster_error(&clusters) {
        Some(error) if error > 0.0 => (spread / error.powi(2)).min(number(n)),
        _ if spread > 0.0 => number(n),
        _ => number(clusters.len()),
    };
    wilson_interval(share * independent, independent)
}
