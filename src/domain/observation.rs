//! What an agent is shown at a step.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use super::Picture;

/// One piece of an observation, in the order in which it is shown.
#[derive(Clone, Debug)]
pub enum Part {
    /// Words.
    Text(Arc<str>),
    /// A frame.
    Picture(Arc<Picture>),
}

/// Everything an environment tells at a step.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What a multimodal agent is shown, in order.
    pub parts: Vec<Part>,
    /// The same state in plain text, for agents without eyes and terminals without colour.
    pub text: Arc<str>,
    /// The same state as data, for policies. Never part of a request to a model.
    pub facts: Value,
}

impl Observation {
    /// The first picture, if the environment paints any.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.parts.iter().find_map(|part| match part {
            Part::Picture(picture) => Some(picture),
            Part::Text(_) => None,
        })
    }

    /// The fingerprint of the state (text and facts). Pictures stay out of it, so that a frame
    /// painted more beautifully by a later version does not make an old journal invalid.
    pub fn digest(&self) -> Digest {
        let mut hash = blake3::Hasher::new();
        hash.update(self.text.as_bytes());
        hash.update(&[0]);
        hash.update(self.facts.to_string().as_bytes());
        Digest::from(&hash)
    }
}

/// The first 16 hexadecimal digits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 8]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(bytes);
        Self::from(&hash)
    }
}

impl From<&blake3::Hasher> for Digest {
    fn from(hasher: &blake3::Hasher) -> Self {
        let mut short = [0; 8];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self(short)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
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
    fn a_digest_survives_being_written_and_read() {
        let digest = Digest::of(b"a frame");
        assert_eq!(Digest::try_from(digest.to_string()), Ok(digest));
        assert!(Digest::try_from("00".to_owned()).is_err());
    }
}
