//! How many repeats a difference needs in order to be seen.

use super::distributions::t_quantile;
use super::levels::{LevelSample, by_level};
use super::{CONFIDENCE, number};

/// How often a difference of the stated size is found.
const POWER: f64 = 0.8;
/// The most repeats of a level that are proposed.
const MOST_REPEATS: u32 = 10_000;
/// The most levels that are proposed.
const MOST_LEVELS: usize = 100_000;

/// The variance of paired differences between two cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    /// Of the true difference between levels.
    pub between: f64,
    /// Of one pair of episodes on a level.
    pub within: f64,
    /// Whether it is an assumption because nothing was measured.
    pub assumed: bool,
}

impl Variation {
    /// What is assumed before anything is known: scores of one agent on one level differ by a standard deviation of 10
    /// points, so pairs by 10·√2, and the true difference varies between levels by 5 points. Those of the random
    /// agent vary by 7.4 on a level (72 repeats of 20 levels).
    pub const ASSUMED: Self = Self { between: 25.0, within: 200.0, assumed: true };

    /// The variance components of measured differences, by the method of moments of a one-way random-effects model. A
    /// component is zero where the estimate is negative. `None` without two levels and a level with two pairs.
    pub fn of(differences: &[LevelSample]) -> Option<Self> {
        let levels: Vec<Vec<f64>> = by_level(differences)
            .into_values()
            .map(|level| level.iter().map(|s| s.value).collect())
            .collect();
        let g = number(levels.len());
        let n = number(differences.len());
        if g < 2.0 || n <= g {
            return None;
        }
        let total = levels.iter().flatten().sum::<f64>() / n;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / number(values.len());
        let inside =
            |values: &Vec<f64>| values.iter().map(|value| (value - mean(values)).powi(2)).sum::<f64>();
        let within = levels.iter().map(inside).sum::<f64>() / (n - g);
        let of_means: f64 = levels.iter().map(|l| number(l.len()) * (mean(l) - total).powi(2)).sum();
        let typical = (n - levels.iter().map(|l| number(l.len()).powi(2)).sum::<f64>() / n) / (g - 1.0);
        let between = ((of_means / (g - 1.0) - within) / typical).max(0.0);
        Some(Self { between, within, assumed: false })
    }

    /// Whether a difference of this size is found often enough with so many levels and repeats. The mean of the pairs
    /// has the variance (between + within / repeats) / levels, and the difference must be
    /// t(1 - 0.05/2) + t(0.8) of its standard errors, with levels - 1 degrees of freedom.
    fn shows(self, difference: f64, levels: usize, repeats: f64) -> bool {
        let df = number(levels) - 1.0;
        if df < 1.0 {
            return false;
        }
        let error = ((self.between + self.within / repeats) / number(levels)).sqrt();
        difference.abs() >= (t_quantile(0.5 + CONFIDENCE / 2.0, df) + t_quantile(POWER, df)) * error
    }
}

/// What it takes to see a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatsNeeded {
    /// This many repeats of each level.
    Repeats(u32),
    /// No number of repeats is enough, as the difference varies between levels; this many levels are needed, each with
    /// one repeat.
    Levels(usize),
    /// More than any run can have.
    OutOfReach,
}

/// The fewest repeats of so many levels with which a true difference of this size (not zero) is found with a
/// probability of 0.8 by a two-sided test at the level 0.05.
pub fn repeats_needed(difference: f64, levels: usize, variation: Variation) -> RepeatsNeeded {
    let enough = |repeats: u32| variation.shows(difference, levels, f64::from(repeats));
    if let Some(repeats) = fewest(1, MOST_REPEATS, enough) {
        return RepeatsNeeded::Repeats(repeats);
    }
    let most = u32::try_from(MOST_LEVELS).unwrap_or(u32::MAX);
    let enough = |levels: u32| usize::try_from(levels).is_ok_and(|g| variation.shows(difference, g, 1.0));
    let levels = fewest(2, most, enough).and_then(|levels| usize::try_from(levels).ok());
    levels.map_or(RepeatsNeeded::OutOfReach, RepeatsNeeded::Levels)
}

/// The smallest number for which `enough` holds, which then holds for all larger ones.
fn fewest(mut low: u32, most: u32, enough: impl Fn(u32) -> bool) -> Option<u32> {
    let mut high = most;
    if !enough(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}
