//! Variants compared in pairs: the test of a pair, its correction for the number of pairs, and what it says. How the test is
//! made is a matter of the study.

use std::collections::BTreeSet;

use mageyard_statistics::{CONFIDENCE, Verdict, holm};

/// Two variants compared by a share: of replies that meet a target, or of branches that reach the goal, or of accepted
/// answers on the same states.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantComparison {
    /// The indices of the variants.
    pub variants: (usize, usize),
    /// The share of the second one minus that of the first one.
    pub difference: f64,
    /// The p value of the test, two-sided.
    pub p: f64,
    /// The same corrected for the number of comparisons (Holm).
    pub corrected: f64,
    /// The smallest difference of the second one from the first one that could be found with so many samples; `None` if none
    /// could.
    pub smallest_visible: Option<f64>,
}

impl VariantComparison {
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

/// Corrects the p values of all comparisons by Holm, and puts the surest first.
pub(crate) fn correct<C: AsRef<VariantComparison> + AsMut<VariantComparison>>(all: &mut [C]) {
    let values: Vec<f64> = all.iter().map(|comparison| comparison.as_ref().p).collect();
    for (comparison, corrected) in all.iter_mut().zip(holm(&values)) {
        comparison.as_mut().corrected = corrected;
    }
    all.sort_by(|one, other| one.as_ref().p.total_cmp(&other.as_ref().p));
}

impl AsRef<Self> for VariantComparison {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsMut<Self> for VariantComparison {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

/// The indices of all pairs of so many variants.
pub(crate) fn pairs(variants: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..variants).flat_map(move |one| (one + 1..variants).map(move |other| (one, other)))
}

/// The total variation distance of two distributions of answers, from 0 to 1: half the sum of the differences of all shares.
/// Replies that cannot be read are an answer of their own.
pub(crate) fn total_variation<'a>(
    answers: impl Iterator<Item = &'a Option<String>>,
    one: impl Fn(&Option<String>) -> f64,
    other: impl Fn(&Option<String>) -> f64,
) -> f64 {
    let answers: BTreeSet<&Option<String>> = answers.collect();
    answers.into_iter().map(|answer| (one(answer) - other(answer)).abs()).sum::<f64>() / 2.0
}
