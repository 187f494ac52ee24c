//! Exact tests of shares, and the correction for several tests.

use libm::lgamma;

use super::number;

/// Probabilities that differ by less than this factor are equal: they are sums of logarithms.
const EQUAL: f64 = 1.0 + 1e-7;

/// The two-sided p value of Fisher's exact test that two groups have the same share: of `n` independent cases each, given
/// as (found, n). It is the probability of all tables with the same sums that are not more probable than this one. 1 if a
/// group is empty.
pub fn fisher_exact(one: (usize, usize), other: (usize, usize)) -> f64 {
    let found = one.0 + other.0;
    let cases = one.1 + other.1;
    let least = found.saturating_sub(other.1);
    let most = found.min(one.1);
    let logarithm = |in_one: usize| {
        choices(one.1, in_one) + choices(other.1, found.saturating_sub(in_one)) - choices(cases, found)
    };
    let limit = logarithm(one.0).exp() * EQUAL;
    let tables = (least..=most).map(|in_one| logarithm(in_one).exp());
    tables.filter(|probability| *probability <= limit).sum::<f64>().min(1.0)
}

/// The p values corrected for how many there are (Holm 1979): below a level, the probability that any of the hypotheses is
/// rejected wrongly is at most that level, whatever depends on what.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut corrected = vec![1.0; values.len()];
    let mut highest = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        highest = highest.max(values[index] * number(values.len() - rank)).min(1.0);
        corrected[index] = highest;
    }
    corrected
}

/// The logarithm of the number of ways to choose `k` of `n`.
fn choices(n: usize, k: usize) -> f64 {
    lgamma(number(n) + 1.0) - lgamma(number(k) + 1.0) - lgamma(number(n.saturating_sub(k)) + 1.0)
}
