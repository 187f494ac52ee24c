//! Variants compared in pairs on the same states.

use super::measure::Measure;
use mageyard_statistics::{
    CONFIDENCE, Interval, LevelSample, RepeatsNeeded, Variation, Verdict, holm, paired_difference,
    repeats_needed,
};

/// What variants are compared by.
pub(super) const COMPARED: Measure = Measure::Accepted;

/// The range of shares.
const SHARES: Option<Interval> = Some(Interval { low: 0.0, high: 1.0 });

/// Two variants compared by the share of accepted answers on the same states.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteComparison {
    /// The indices of the variants.
    pub variants: (usize, usize),
    /// The share of the second one minus that of the first one.
    pub difference: f64,
    /// Its 95 % interval for states like these; `None` for fewer than two.
    pub interval: Option<Interval>,
    /// The states that count.
    pub states: usize,
    /// The p value of a test that flips the signs of whole states, two-sided.
    pub p: f64,
    /// The same corrected for the number of comparisons (Holm).
    pub corrected: f64,
    /// The smallest difference that is found with a probability of 0.8; `None` if too few states differ.
    pub smallest_visible: Option<f64>,
    /// The pairs of whole episodes, each on a level of its own, with which a difference of as many points of score is found
    /// with a probability of 0.8, for models that solve some levels and not others; `None` if there is no difference or more are
    /// needed than any run has.
    pub episode_pairs: Option<usize>,
}

impl SuiteComparison {
    /// Whether the difference is more than chance, at the level of all comparisons together.
    pub fn is_different(&self) -> bool {
        self.corrected < 1.0 - CONFIDENCE
    }

    /// What it says.
    pub fn verdict(&self) -> Verdict {
        match self.smallest_visible {
            _ if self.is_different() => Verdict::Different,
            Some(_) => Verdict::InsideNoise,
            None => Verdict::TooFew,
        }
    }
}

/// All pairs of variants, the surest first. Each variant has a sample for each reply to a state that can be judged: 1 if the
/// answer is accepted. The level of a sample is its state.
pub(super) fn comparisons(variants: &[Vec<LevelSample>]) -> Vec<SuiteComparison> {
    let pairs = (0..variants.len()).flat_map(|one| (one + 1..variants.len()).map(move |other| (one, other)));
    let mut all: Vec<SuiteComparison> =
        pairs.filter_map(|(one, other)| compared((one, other), &variants[one], &variants[other])).collect();
    let corrected = holm(&all.iter().map(|comparison| comparison.p).collect::<Vec<_>>());
    for (comparison, corrected) in all.iter_mut().zip(corrected) {
        comparison.corrected = corrected;
    }
    all.sort_by(|one, other| one.p.total_cmp(&other.p));
    all
}

fn compared(
    variants: (usize, usize),
    first: &[LevelSample],
    second: &[LevelSample],
) -> Option<SuiteComparison> {
    let paired = paired_difference(second, first, SHARES);
    let difference = paired.mean?;
    Some(SuiteComparison {
        variants,
        difference,
        interval: paired.interval,
        states: paired.levels(),
        p: paired.p,
        corrected: 1.0,
        smallest_visible: paired.smallest_visible(),
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
