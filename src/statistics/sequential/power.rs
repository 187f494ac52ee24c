//! How probably a test that is undecided now will be significant with more pairs (Jennison and Turnbull 2000, chapter 10).

use crate::distributions::normal_probability;
use crate::repeats_needed::fewest;

/// The most pairs that are proposed.
const MOST_PAIRS: u32 = 1_000_000;

/// The probability that the statistic exceeds `critical` when all pairs are there, if they go on as they began: `z` is the
/// statistic now, with this share of the pairs, above 0 and below 1.
pub fn conditional_power(z: f64, share: f64, critical: f64) -> f64 {
    normal_probability((z / share.sqrt() - critical) / (1.0 - share).sqrt())
}

/// The same with the uncertainty of what is known now: the mean over all true differences, each as probable as the pairs so far
/// make it.
pub fn predictive_power(z: f64, share: f64, critical: f64) -> f64 {
    normal_probability((z - critical * share.sqrt()) / (1.0 - share).sqrt())
}

/// How many more pairs than these give a conditional power of at least `power`; `None` if more than a million would be needed, or
/// if the statistic points the other way.
pub fn further_pairs(z: f64, pairs: u32, critical: f64, power: f64) -> Option<u32> {
    if z <= 0.0 || pairs == 0 {
        return None;
    }
    let enough = |all: u32| conditional_power(z, f64::from(pairs) / f64::from(all), critical) >= power;
    Some(fewest(pairs.checked_add(1)?, MOST_PAIRS.max(pairs.saturating_add(1)), enough)? - pairs)
}

/// The probability that a standard normal value is above this one.
pub fn upper_tail(z: f64) -> f64 {
    normal_probability(-z)
}
