//! The generator's random numbers: a stream for every room, named by seed, shape and room number, so that
//! rooms can be generated in any order, on any machine, with the same result.
//!
//! BLAKE3 turns the name into the state of xoshiro256++ (Blackman and Vigna). Bounded numbers are computed
//! here, since libraries change their method.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::groups::Shape;

/// A stream of random numbers.
pub(crate) struct RoomRandom(Xoshiro256PlusPlus);

impl RoomRandom {
    pub(super) fn of(seed: u64, shape: Shape, number: u64) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(b"mageyard sokoban room 1");
        hash.update(&seed.to_le_bytes());
        for part in [shape.rows, shape.columns, u16::from(shape.boxes), shape.steps] {
            hash.update(&part.to_le_bytes());
        }
        hash.update(&number.to_le_bytes());
        Self(Xoshiro256PlusPlus::from_seed(*hash.finalize().as_bytes()))
    }

    /// The stream for random plays on a level.
    pub(crate) fn for_play(seed: u64, level: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(b"mageyard sokoban play 1");
        hash.update(&seed.to_le_bytes());
        hash.update(level.as_bytes());
        Self(Xoshiro256PlusPlus::from_seed(*hash.finalize().as_bytes()))
    }

    /// A uniform number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(product >> 64).unwrap_or_default()
    }

    /// True in `share` of 100 cases.
    pub(super) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::GROUPS;
    use super::*;

    #[test]
    fn the_random_numbers_are_those_of_the_published_generator() {
        // The first outputs of the authors' program for the state 1, 2, 3, 4.
        let mut state = [0; 32];
        for (word, value) in state.chunks_mut(8).zip(1_u64..) {
            word.copy_from_slice(&value.to_le_bytes());
        }
        let mut draw = Xoshiro256PlusPlus::from_seed(state);
        for expected in [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386] {
            assert_eq!(draw.next_u64(), expected);
        }
    }

    #[test]
    fn the_stream_of_a_room_never_changes_and_differs_from_all_others() {
        let drawn = |seed, group: usize, number| {
            let mut draw = RoomRandom::of(seed, GROUPS[group].shape, number);
            (0..12).map(|_| draw.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7, 0, 0), GOLDEN);
        for other in [drawn(8, 0, 0), drawn(7, 1, 0), drawn(7, 0, 1)] {
            assert_ne!(other, GOLDEN);
        }
    }

    const GOLDEN: [usize; 12] = [0, 5, 0, 4, 2, 6, 7, 4, 3, 7, 6, 7];

    #[test]
    fn numbers_are_uniform() {
        let mut draw = RoomRandom::of(1, GROUPS[0].shape, 0);
        let mut counts = [0_u32; 5];
        for _ in 0..50_000 {
            counts[draw.below(5)] += 1;
        }
        // Five standard errors of a share of a fifth.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 450), "{counts:?}");
        let hits = (0..50_000).filter(|_| draw.percent(35)).count();
        assert!(hits.abs_diff(17_500) < 534, "{hits}");
    }
}
