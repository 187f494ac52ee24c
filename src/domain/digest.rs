//! A short digest for display and comparison.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;
use serde::Serializer;

/// The first 16 hexadecimal digits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Digest([u8; 8]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::from(blake3::hash(bytes))
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        let mut short = [0; 8];
        short.copy_from_slice(&hash.as_bytes()[..8]);
        Self(short)
    }
}

impl From<&blake3::Hasher> for Digest {
    fn from(hasher: &blake3::Hasher) -> Self {
        Self::from(hasher.finalize())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
        number
            .map(|number| Self(number.to_be_bytes()))
            .ok_or_else(|| format!("{text:?} is not a digest of 16 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_round_trips_through_text() {
        let digest = Digest::of(b"a frame");
        assert_eq!(Digest::try_from(digest.to_string()), Ok(digest));
        assert!(Digest::try_from("00".to_owned()).is_err());
        let small = Digest([0, 1, 0x2a, 0, 0, 0, 0xf0, 0xff]);
        assert_eq!(serde_json::to_string(&small).unwrap(), "\"00012a000000f0ff\"", "leading zeros are kept");
    }
}
