//! Variants compared in pairs on the same states.

use super::measure::Measure;
use crate::VariantComparison;
use crate::comparison::pairs;
use mageyard_statistics::{
    Counted, DifferenceTest, Interval, LevelSample, RepeatsNeeded, Variation, correct, paired_difference,
    repeats_needed,
};

/// What variants are compared by.
pub(super) const COMPARED: Measure = Measure::Accepted;

/// The range of shares.
const SHARES: Option<Interval> = Some(Interval { low: 0.0, high: 1.0 });

/// Two variants compared by the share of accepted answers on the same states, by a test that flips the signs of whole states.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteComparison {
    /// The pair and its test. The smallest visible difference is found with a probability of 0.8; there is none if too few
    /// states differ.
    pub pair: VariantComparison,
    /// The 95 % interval of the difference for states like these; `None` for fewer than two.
    pub interval: Option<Interval>,
    /// The states that count.
    pub states: usize,
    /// The pairs of whole episodes, each on a level of its own, with which a difference of as many points of score is found
    /// with a probability of 0.8, for models that solve some levels and not others; `None` if there is no difference or more are
    /// needed than any run has.
    pub episode_pairs: Option<usize>,
}

/// All pairs of variants, the surest first. Each variant has a sample for each reply to a state that can be judged: 1 if the
/// answer is accepted. The level of a sample is its state.
pub(super) fn comparisons(variants: &[Vec<LevelSample>]) -> Vec<SuiteComparison> {
    let mut all: Vec<SuiteComparison> =
        pairs(variants.len()).filter_map(|pair| compared(pair, variants)).collect();
    correct(all.iter_mut().map(|one| &mut one.pair.test), Counted::All);
    all.sort_by(|one, other| one.pair.test.p.total_cmp(&other.pair.test.p));
    all
}

fn compared((first, second): (usize, usize), variants: &[Vec<LevelSample>]) -> Option<SuiteComparison> {
    let paired = paired_difference(&variants[second], &variants[first], SHARES);
    let difference = paired.mean?;
    // The test alone decides.
    let test = DifferenceTest { has_zero: false, ..paired.test };
    Some(SuiteComparison {
        pair: VariantComparison { variants: (first, second), difference, test },
        interval: paired.interval,
        states: paired.levels(),
        episode_pairs: episode_pairs(difference),
    })
}

fn episode_pairs(difference: f64) -> Option<usize> {
    if difference == 0.0 {
        return None;
    }
    match repeats_needed(100.0 * difference, 1, Variation::ASSUMED) {
        RepeatsNeeded::Levels(pairs) => Some(pairs),
        RepeatsNeeded::Repeats(_) | RepeatsNeeded::OutOfReach => None,
    }
}
