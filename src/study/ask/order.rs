//! The order of the calls: random, so that a server that changes meanwhile does not favour a variant, and the same for the
//! same seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::record::AskRecord;

/// A call that is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlannedCall {
    /// The index of the ask.
    pub(super) ask: usize,
    /// The index of the variant.
    pub(super) variant: usize,
    /// From 1.
    pub(super) sample: u32,
    /// The seed of the call, for a variant that has one.
    pub(super) seed: u32,
}

/// All calls of these asks in one random order, those with equal requests once, by the seed of the first. Each has a seed of its own that does not depend on
/// the order.
pub(super) fn ordered_calls(records: &[&AskRecord]) -> Vec<PlannedCall> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(records.first().map_or(0, |record| record.seed));
    let variants = records.iter().enumerate().flat_map(|(ask, record)| {
        let sent = record.variants.iter().enumerate().filter(|(_, variant)| variant.same_as.is_none());
        sent.map(move |(variant, _)| (ask, record.samples, variant))
    });
    let samples =
        variants.flat_map(|(ask, samples, variant)| (1..=samples).map(move |sample| (ask, variant, sample)));
    let first = random.next_u32();
    // Servers take seeds of 31 bits.
    let seed = |number: u32| first.wrapping_add(number) & (u32::MAX >> 1);
    let mut calls: Vec<(u64, PlannedCall)> = (0_u32..)
        .zip(samples)
        .map(|(number, (ask, variant, sample))| {
            (random.next_u64(), PlannedCall { ask, variant, sample, seed: seed(number) })
        })
        .collect();
    calls.sort_by_key(|(place, _)| *place);
    calls.into_iter().map(|(_, call)| call).collect()
}
