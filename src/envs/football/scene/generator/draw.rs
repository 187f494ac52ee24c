//! The generator's random numbers: a stream for every scene, named by seed, kind and number, so that scenes can be
//! generated in any order, on any machine, with the same result. Only operations that are exact everywhere.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub(super) struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// The stream of a scene.
    pub(super) fn of(seed: u64, kind: &str, number: u64) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(b"mageyard football scene 1");
        hash.update(&seed.to_le_bytes());
        hash.update(kind.as_bytes());
        hash.update(&number.to_le_bytes());
        Self(Xoshiro256PlusPlus::from_seed(*hash.finalize().as_bytes()))
    }

    /// Any number.
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(product >> 64).unwrap_or_default()
    }

    /// A uniform number between two others.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
        let share = (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0;
        low + (high - low) * share
    }

    /// A number around zero with about this deviation: the sum of three uniform ones.
    pub(super) fn around(&mut self, deviation: f64) -> f64 {
        (0..3).map(|_| self.between(-deviation, deviation)).sum()
    }

    /// A vector of this length in any direction.
    pub(super) fn vector(&mut self, length: f64) -> [f64; 2] {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let own = (x * x + y * y).sqrt();
            if (0.1..=1.0).contains(&own) {
                return [x * length / own, y * length / own];
            }
        }
    }
}
