//! Variants compared in pairs, whatever the test of a pair.

use std::collections::BTreeSet;

use mageyard_statistics::DifferenceTest;

/// Two variants compared by a share: of replies that meet a target, or of branches that reach the goal, or of accepted
/// answers on the same states.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantComparison {
    /// The indices of the variants.
    pub variants: (usize, usize),
    /// The share of the second one minus that of the first one.
    pub difference: f64,
    /// Its test, corrected for the number of comparisons.
    pub test: DifferenceTest,
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
