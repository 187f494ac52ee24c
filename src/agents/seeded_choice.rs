//! Drawing by lot, the same on every platform and for ever: keyed BLAKE3 over what the draw is for. There
//! is no state, so an episode that is picked up at any step draws what it would have drawn.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// The lots of one seed and one level.
pub(super) struct SeededChoice {
    key: [u8; 32],
}

impl SeededChoice {
    /// `salt` keeps levels apart that are played with the same seed.
    pub(super) fn new(seed: u64, salt: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(&seed.to_le_bytes());
        hash.update(salt.as_bytes());
        Self { key: *hash.finalize().as_bytes() }
    }

    /// One of these, each as likely as any other; `None` when there are none. The numbers say what the
    /// draw is for: the same numbers draw the same again.
    pub(super) fn pick<'a, T>(&self, over: &[u32], from: &'a [T]) -> Option<&'a T> {
        let mut hash = blake3::Hasher::new_keyed(&self.key);
        for number in over {
            hash.update(&number.to_le_bytes());
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..8]);
        // The high bits of the product are uniform up to len/2^64.
        let index = (u128::from(u64::from_le_bytes(bytes)) * from.len() as u128) >> 64;
        from.get(usize::try_from(index).ok()?)
    }
}
