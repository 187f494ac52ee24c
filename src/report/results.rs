//! The numbers of a group that are computed once, when all its episodes are known: intervals, curves, scores of groups
//! of levels, and the difference from the reference.

use std::collections::BTreeSet;

use super::condition::Condition;
use super::group_stats::GroupStats;
use super::measures::{MeasureDifference, measure_differences};
use super::set_measures::MeasuredValue;
use mageyard_statistics::{
    BestOf, Interval, LevelSample, PairedDifference, PassHat, RepeatedLevels, RepeatsNeeded,
    VarianceComponents, Variation, best_of, mean_interval, paired_difference, pass_hat, repeats_needed,
    sample_mean, share_interval, standard_error,
};

/// The computed numbers of a group.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The interval of the mean score.
    pub score: Option<Interval>,
    /// The interval of the success rate, in percent.
    pub success: Option<Interval>,
    /// The best of n repeats; empty with one repeat of each level.
    pub best_of: Vec<BestOf>,
    /// The score after each step, if the environment has one.
    pub by_step: Vec<StepScore>,
    /// The scores of groups of levels, in the order of the environment.
    pub level_groups: Vec<LevelGroup>,
    /// The measures of the set.
    pub set_measures: Vec<MeasuredValue>,
    /// The difference from the reference; `None` if there is none, or if this is the reference.
    pub difference: Option<Difference>,
    /// Whether others are compared with this group.
    pub is_reference: bool,
    /// How probable it is that this group has the highest score of those that are compared with each other; `None` if it is not
    /// compared, or if they have fewer than two levels in common.
    pub best: Option<Best>,
    /// Which levels are solved in every repeat, in none, or in some.
    pub repeated: RepeatedLevels,
    /// How much scores vary within and between levels; `None` without two levels and a level with two repeats.
    pub variance: Option<VarianceComponents>,
    /// How probable it is that k repeats of a level are all solved; empty with one repeat of each level.
    pub pass_hat: Vec<PassHat>,
}

/// How probable it is that a group is the best of some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// The probability, from 0 to 1.
    pub share: f64,
    /// The groups that are compared, with this one.
    pub cells: usize,
    /// The levels that all of them have.
    pub levels: usize,
}

/// The score after a step, over the episodes that made it.
#[derive(Clone, Copy, Debug)]
pub struct StepScore {
    /// The mean score.
    pub mean: f64,
    /// Its confidence interval; `None` for fewer than two episodes.
    pub interval: Option<Interval>,
    /// The number of episodes.
    pub episodes: usize,
}

/// The score over the levels of a group, such as those of one size.
#[derive(Clone, Debug)]
pub struct LevelGroup {
    /// Its name, such as the size of its levels.
    pub name: String,
    /// Its episodes.
    pub episodes: usize,
    /// Its levels.
    pub levels: usize,
    /// The mean score of its levels.
    pub mean: f64,
    /// The standard error of the mean; `None` with fewer than two levels.
    pub error: Option<f64>,
    /// The confidence interval of the mean; `None` with fewer than two levels.
    pub interval: Option<Interval>,
}

/// A paired difference from the reference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The group that is compared with.
    pub reference: Condition,
    /// The difference of scores over the levels that both groups have. Its test is corrected for the number of them in the report.
    pub paired: PairedDifference,
    /// The differences by other measures.
    pub measures: Vec<MeasureDifference>,
    /// The repeats that a difference of the stated size needs, and the variation that they are computed from.
    pub needed: Option<(RepeatsNeeded, Variation)>,
}

impl Results {
    /// The results that need no other group; scores are in this range.
    pub(super) fn of(scores: &[LevelSample], solved: &[LevelSample], range: Option<Interval>) -> Self {
        let shares: Vec<LevelSample> = solved
            .iter()
            .map(|sample| LevelSample { value: sample.value / 100.0, ..sample.clone() })
            .collect();
        let curve = best_of(scores, range);
        Self {
            score: mean_interval(scores, range),
            success: share_interval(&shares).map(|interval| interval.scaled(100.0)),
            best_of: if curve.len() > 1 { curve } else { Vec::new() },
            repeated: RepeatedLevels::of(&shares),
            variance: VarianceComponents::of(scores),
            pass_hat: Some(pass_hat(&shares)).filter(|curve| curve.len() > 1).unwrap_or_default(),
            ..Self::default()
        }
    }
}

impl StepScore {
    /// The score of these samples; `None` without any.
    pub(super) fn of(scores: &[LevelSample], range: Option<Interval>) -> Option<Self> {
        let mean = sample_mean(scores)?;
        Some(Self { mean, interval: mean_interval(scores, range), episodes: scores.len() })
    }
}

impl LevelGroup {
    /// The score of a group with these samples.
    pub(super) fn of(name: &str, scores: &[LevelSample], range: Option<Interval>) -> Option<Self> {
        let mean = sample_mean(scores)?;
        let error = standard_error(scores);
        let interval = mean_interval(scores, range);
        let levels: BTreeSet<&str> = scores.iter().map(|sample| sample.level.as_str()).collect();
        let levels = levels.len();
        Some(Self { name: name.to_owned(), episodes: scores.len(), levels, mean, error, interval })
    }
}

impl Difference {
    /// The difference of a group from the reference; scores are in this range. With `stated`, the repeats that such a difference
    /// needs over as many levels.
    pub(super) fn of(
        stats: &GroupStats,
        reference: (&Condition, &GroupStats),
        range: Option<Interval>,
        stated: Option<f64>,
    ) -> Self {
        let paired = paired_difference(&stats.scores, &reference.1.scores, range);
        let own = (&stats.measures, stats.solved.as_slice());
        let measures = measure_differences(own, (&reference.1.measures, &reference.1.solved));
        let variation = Variation::of(&paired.pairs).unwrap_or(Variation::ASSUMED);
        let needed = stated.map(|size| (repeats_needed(size, paired.levels(), variation), variation));
        Self { reference: reference.0.clone(), paired, measures, needed }
    }
}
