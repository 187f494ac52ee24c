//! Two-level resampling: levels first, then the repeats inside each of them.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::number;

/// How many times samples are resampled.
pub(super) const RESAMPLES: usize = 2000;
/// The seed of all resampling, so that a report has the same numbers each time.
pub(super) const SEED: u64 = 20_241_204;

/// The means of resampled clusters, sorted. Each time as many clusters are drawn as there are, with replacement, and
/// from each of them as many values as it has, with replacement.
pub(super) fn resampled_means(clusters: &[Vec<f64>]) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resampled_mean(clusters, &mut random)).collect();
    means.sort_by(f64::total_cmp);
    means
}

fn resampled_mean(clusters: &[Vec<f64>], random: &mut Xoshiro256PlusPlus) -> f64 {
    let mut sum = 0.0;
    let mut count = 0;
    for _ in clusters {
        let cluster = &clusters[below(clusters.len(), random)];
        sum += cluster.iter().map(|_| cluster[below(cluster.len(), random)]).sum::<f64>();
        count += cluster.len();
    }
    sum / number(count)
}

/// A number below `limit`: the upper half of a product (Lemire 2019); its bias is below limit/2^64.
pub(super) fn below(limit: usize, random: &mut Xoshiro256PlusPlus) -> usize {
    let product = u128::from(random.next_u64()) * (limit as u128);
    usize::try_from(product >> 64).unwrap_or_default()
}

/// The value below which this share of the sorted values is, interpolated (type 7 of Hyndman and Fan 1996).
pub(super) fn sorted_quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * number(sorted.len().checked_sub(1)?);
    let below = (0..sorted.len()).rev().find(|index| number(*index) <= place)?;
    let low = sorted[below];
    let high = sorted.get(below + 1).unwrap_or(&sorted[below]);
    Some(low + (high - low) * (place - number(below)))
}
