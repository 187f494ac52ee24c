//! How many repeats a difference needs in order to be seen.

use super::components::VarianceComponents;
use super::distributions::t_quantile;
use super::levels::{LevelSample, by_level};
use super::mean::mean;
use super::{CONFIDENCE, number};

/// How often a difference of the stated size is found.
const POWER: f64 = 0.8;
/// The most repeats of a level that are proposed.
const MOST_REPEATS: u32 = 10_000;
/// The most levels that are proposed.
pub(super) const MOST_LEVELS: u32 = 100_000;

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
    /// What is assumed before anything is known: a model that solves half of the episodes. If a solved level has 100
    /// points and another one about 45, so with a correlation of 1/3 between repeats of a level (as levels differ) its
    /// scores vary on one by √(55² · 0.25 · 2/3 + 5²) = 23 points, and pairs by 23·√2. The true difference varies between
    /// levels by 5 points. Agents that solve more or less vary less: those of the random agent by 7.4 (72 repeats of 20
    /// levels).
    pub const ASSUMED: Self = Self { between: 25.0, within: 1058.0, assumed: true };

    /// What a pilot says of pairs: how much the scores of one cell vary between repeats of a level, over these cells, and
    /// how much the true difference of the pairs varies between levels; that is assumed without pairs with repeats. `None` without a
    /// level that a cell has repeated.
    pub fn of_pilot(cells: &[&[LevelSample]], pairs: &[&[LevelSample]]) -> Option<Self> {
        let mut squares = 0.0;
        let mut df = 0.0;
        for level in cells.iter().flat_map(|cell| by_level(cell).into_values()) {
            let mean = level.iter().map(|sample| sample.value).sum::<f64>() / number(level.len());
            squares += level.iter().map(|sample| (sample.value - mean).powi(2)).sum::<f64>();
            df += number(level.len()) - 1.0;
        }
        let measured: Vec<f64> = pairs.iter().filter_map(|pairs| Some(Self::of(pairs)?.between)).collect();
        let between = mean(measured.into_iter()).unwrap_or(Self::ASSUMED.between);
        (df > 0.0).then(|| Self { between, within: 2.0 * squares / df, assumed: false })
    }

    /// The variance components of measured differences, as [`VarianceComponents`] has them, with zero for a negative estimate. `None`
    /// without two levels and a level with two pairs.
    pub fn of(differences: &[LevelSample]) -> Option<Self> {
        let found = VarianceComponents::of(differences)?;
        Some(Self { between: found.between(), within: found.within, assumed: false })
    }

    /// Whether a difference of this size is found often enough with so many levels and repeats. The mean of the pairs
    /// has the variance (between + within / repeats) / levels, and the difference must be
    /// t(1 - 0.05/2) + t(0.8) of its standard errors, with levels - 1 degrees of freedom.
    fn shows(self, difference: f64, levels: usize, repeats: f64) -> bool {
        let error = ((self.between + self.within / repeats) / number(levels)).sqrt();
        visible_errors(levels).is_some_and(|errors| difference.abs() >= errors * error)
    }
}

/// How many standard errors a difference must have in order to be found often enough over so many levels; `None` for fewer than
/// two.
pub(super) fn visible_errors(levels: usize) -> Option<f64> {
    let df = number(levels) - 1.0;
    (df >= 1.0).then(|| t_quantile(0.5 + CONFIDENCE / 2.0, df) + t_quantile(POWER, df))
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
    let enough = |levels: u32| usize::try_from(levels).is_ok_and(|g| variation.shows(difference, g, 1.0));
    let levels = fewest(2, MOST_LEVELS, enough).and_then(|levels| usize::try_from(levels).ok());
    levels.map_or(RepeatsNeeded::OutOfReach, RepeatsNeeded::Levels)
}

/// The smallest number for which `enough` holds, which then holds for all larger ones.
pub(super) fn fewest(mut low: u32, most: u32, enough: impl Fn(u32) -> bool) -> Option<u32> {
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
