//! The fields of `report` about the repeats of levels.

use schemars::JsonSchema;
use serde::Serialize;

use super::computed_fields::ends;
use mageyard_report::Best;
use mageyard_statistics::{Interval, PassHat, RepeatedLevels, VarianceComponents};

/// How probable it is that an object is the best of those that are compared with each other.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "best")]
pub(super) struct BestRecord {
    /// Probability, from 0 to 1.
    probability: f64,
    /// Objects that are compared, with this one.
    among: usize,
    /// Levels that all of them have.
    levels: usize,
}

/// The levels with two repeats or more, by how many of them are solved.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "repeated_levels")]
pub(super) struct RepeatedLevelsRecord<'a> {
    /// Levels whose repeats are all solved.
    always: usize,
    /// Levels with no solved repeat.
    never: usize,
    /// Levels with solved and unsolved repeats.
    split: usize,
    /// Levels that were played once.
    once: usize,
    /// Those that are split, the most uncertain ones first.
    split_levels: Vec<SplitLevelRecord<'a>>,
}

/// A level with solved and unsolved repeats.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "split_level")]
struct SplitLevelRecord<'a> {
    /// Reference of the level.
    name: &'a str,
    /// Solved repeats.
    solved: usize,
    /// All repeats.
    of: usize,
}

/// How much scores vary, in the square of points: one-way random effects.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "variance")]
pub(super) struct VarianceRecord {
    /// Variance between the repeats of a level.
    within: f64,
    /// Variance between levels: the estimate, or 0 where it is negative.
    between: f64,
    /// Its estimate by the analysis of variance.
    between_estimate: f64,
    /// Share of the variance that is between levels, from 0 to 1; null if nothing varies.
    share_between: Option<f64>,
}

/// The probability that several repeats of a level are all solved.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "pass_hat")]
pub(super) struct PassHatRecord {
    /// Number of repeats.
    k: usize,
    /// Probability in percent, averaged over levels.
    rate: f64,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
}

impl From<Best> for BestRecord {
    fn from(best: Best) -> Self {
        Self { probability: best.share, among: best.cells, levels: best.levels }
    }
}

impl<'a> RepeatedLevelsRecord<'a> {
    /// `None` if no level was repeated.
    pub(super) fn of(found: &'a RepeatedLevels) -> Option<Self> {
        let split = found.split.iter();
        let split_levels = split
            .map(|level| SplitLevelRecord { name: &level.level, solved: level.solved, of: level.of })
            .collect();
        (found.repeated() > 0).then_some(Self {
            always: found.always,
            never: found.never,
            split: found.split.len(),
            once: found.once,
            split_levels,
        })
    }
}

impl From<VarianceComponents> for VarianceRecord {
    fn from(found: VarianceComponents) -> Self {
        Self {
            within: found.within,
            between: found.between(),
            between_estimate: found.between_estimate,
            share_between: found.share_between(),
        }
    }
}

impl From<&PassHat> for PassHatRecord {
    fn from(found: &PassHat) -> Self {
        let percent = |interval: Interval| ends(interval.scaled(100.0));
        Self { k: found.k, rate: 100.0 * found.mean, interval: found.band.map(percent) }
    }
}
