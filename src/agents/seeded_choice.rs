//! Seeded random choices, identical on every platform and in every version: keyed BLAKE3 over the purpose of
//! the choice. There is no state, so a resumed episode makes the same choices as an uninterrupted one.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// The random choices of one seed and level.
pub(super) struct SeededChoice {
    key: [u8; 32],
}

impl SeededChoice {
    /// `salt` makes choices differ between levels with the same seed.
    pub(super) fn new(seed: u64, salt: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(&seed.to_le_bytes());
        hash.update(salt.as_bytes());
        Self { key: *hash.finalize().as_bytes() }
    }

    /// Chooses one of `from` uniformly; `None` if it is empty. `over` is the purpose of the choice: the same
    /// numbers give the same choice.
    pub(super) fn pick<'a, T>(&self, over: &[u32], from: &'a [T]) -> Option<&'a T> {
        from.get(usize::try_from(self.below(over, from.len().try_into().ok()?)).ok()?)
    }

    /// Chooses a number below `count` uniformly; 0 if `count` is 0. `over` is the purpose of the choice.
    pub(super) fn below(&self, over: &[u32], count: u64) -> u64 {
        let mut hash = blake3::Hasher::new_keyed(&self.key);
        for number in over {
            hash.update(&number.to_le_bytes());
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..8]);
        // The high bits of the product are uniform up to count/2^64.
        let product = u128::from(u64::from_le_bytes(bytes)) * u128::from(count);
        u64::try_from(product >> 64).unwrap_or(0)
    }
}
