//! A short digest for display and comparison.

use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first 16 hexadecimal digits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 8]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::from(blake3::hash(bytes))
    }

    /// Its digits as text.
    pub fn digits(self) -> [u8; 16] {
        let digit = |index: usize| self.0[index / 2] >> (4 * (1 - index % 2)) & 0xf;
        std::array::from_fn(|index| b"0123456789abcdef"[usize::from(digit(index))])
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
        serializer.serialize_str(str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(DigestVisitor)
    }
}

/// Reads a digest without a copy of its text: a journal has ten of them in the line of a request.
struct DigestVisitor;

impl Visitor<'_> for DigestVisitor {
    type Value = Digest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Digest, E> {
        Digest::try_from(text).map_err(E::custom)
    }
}

impl TryFrom<&str> for Digest {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let number = text.bytes().try_fold(0, |number, byte| Some(number << 4 | u64::from(digit(byte)?)));
        let number = number.filter(|_| text.len() == 16);
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
        assert_eq!(Digest::try_from(digest.to_string().as_str()), Ok(digest));
        for text in ["", "00", "+000000000000000", "00000000000000000", "000000000000000g", "ä00000000000000"]
        {
            assert!(Digest::try_from(text).is_err(), "{text}");
        }
        assert_eq!(digest.digits(), *digest.to_string().as_bytes());
        let small = Digest([0, 1, 0x2a, 0, 0, 0, 0xf0, 0xff]);
        assert_eq!(serde_json::to_string(&small).unwrap(), "\"00012a000000f0ff\"", "leading zeros are kept");
    }
}
