//! A paired test whose cases come in clusters.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::levels::{LevelSample, clusters};
use super::number;

/// With at most so many clusters that differ, all flips are tried.
const MOST_EXACT: usize = 14;
/// Otherwise so many random ones, from the same seed each time, and ten times as many if fewer of them than this are as far
/// from zero: a p value that is corrected for many tests must be able to be small.
const FLIPS: u32 = 9_999;
const FEWEST_EXTREME: usize = 20;
const SEED: u64 = 20_241_204;
/// Sums that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// The two-sided p value that paired differences have no direction: the share of all ways to flip the signs of whole clusters
/// (levels, or states) for which the sum is at least as far from zero. If two variants answer alike, the difference in a
/// cluster is as probable as its opposite, whatever its samples have in common, so the test keeps its level (Fisher 1935,
/// section 21). 1 if no cluster differs. If all samples are of one level, each of them is a cluster.
pub fn sign_flip_test(differences: &[LevelSample]) -> f64 {
    flip_test(&differing_sums(&clusters(differences)))
}

/// The sums of the clusters that differ.
pub(super) fn differing_sums(clusters: &[Vec<f64>]) -> Vec<f64> {
    clusters.iter().map(|values| values.iter().sum::<f64>()).filter(|sum| sum.abs() > EQUAL).collect()
}

/// The p value for these sums, of which none is zero.
pub(super) fn flip_test(sums: &[f64]) -> f64 {
    let observed = sums.iter().sum::<f64>().abs() - EQUAL;
    if sums.is_empty() {
        return 1.0;
    }
    if sums.len() <= MOST_EXACT {
        let all = 1_u32 << sums.len();
        let flipped = |signs: &u32| {
            let signed =
                (0..).zip(sums).map(|(place, sum)| if signs >> place & 1 == 1 { -sum } else { *sum });
            signed.sum::<f64>().abs() >= observed
        };
        return number((0..all).filter(flipped).count()) / f64::from(all);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut flipped =
        || sums.iter().map(|sum| if random.next_u64() >> 63 == 1 { -sum } else { *sum }).sum::<f64>();
    let mut extreme = |flips: u32| (0..flips).filter(|_| flipped().abs() >= observed).count();
    let mut flips = FLIPS;
    let mut found = extreme(flips);
    if found < FEWEST_EXTREME {
        found += extreme(9 * (FLIPS + 1));
        flips += 9 * (FLIPS + 1);
    }
    (number(found) + 1.0) / (f64::from(flips) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Repeat;

    fn samples(values: &[(usize, f64)]) -> Vec<LevelSample> {
        let sample = |(level, value): &(usize, f64)| LevelSample {
            level: level.to_string(),
            repeat: Repeat::default(),
            value: *value,
        };
        values.iter().map(sample).collect()
    }

    #[test]
    fn small_cases_are_counted_by_hand() {
        assert!((sign_flip_test(&[]) - 1.0).abs() < 1e-12);
        assert!((sign_flip_test(&samples(&[(1, 0.0), (2, 0.0)])) - 1.0).abs() < 1e-12);
        // Of 8 ways to flip three equal differences, two are as far from zero.
        assert!((sign_flip_test(&samples(&[(1, 1.0), (2, 1.0), (3, 1.0)])) - 0.25).abs() < 1e-12);
        // Two samples of one state are one cluster: 2 of 4 ways.
        let two = samples(&[(1, 1.0), (1, 1.0), (2, 1.0)]);
        assert!((sign_flip_test(&two) - 0.5).abs() < 1e-12);
        // 1, 2 and -1: the sum is 2; of 8 ways the sums are ±4, ±2 and twice ±2 or 0.
        let mixed = samples(&[(1, 1.0), (2, 2.0), (3, -1.0)]);
        assert!((sign_flip_test(&mixed) - 0.75).abs() < 1e-12);
    }

    /// A share of 0 or 1 in each of 50 states with 4 samples, which have much in common; equal variants.
    #[test]
    fn the_level_is_kept_although_samples_of_a_state_are_alike() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut is_true = |share: f64| f64::from(random.next_u32()) / f64::from(u32::MAX) < share;
        let mut different = 0;
        let rounds = 400;
        for _ in 0..rounds {
            let mut values = Vec::new();
            for state in 0..50 {
                let share = if is_true(0.5) { 0.9 } else { 0.1 };
                for _ in 0..4 {
                    let value = f64::from(u8::from(is_true(share))) - f64::from(u8::from(is_true(share)));
                    values.push((state, value));
                }
            }
            different += usize::from(sign_flip_test(&samples(&values)) < 0.05);
        }
        assert!((8..=32).contains(&different), "{different} of {rounds}");
    }
}
