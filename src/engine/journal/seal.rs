//! Seals: each line's digest over itself and the seal before it.

use std::io::Write as _;

use mageyard_domain::Digest;

const SEAL: &str = ",\"seal\":\"";
const SEALED_TAIL: usize = SEAL.len() + 16 + 2;

/// Adds the seal and a line break to the line that begins at `start` and ends the text, and returns the seal.
pub(crate) fn seal_line(text: &mut Vec<u8>, start: usize, before: Digest) -> Digest {
    text.pop();
    let seal = seal(&text[start..], before);
    // Writing to a Vec does not fail.
    let _ = writeln!(text, "{SEAL}{seal}\"}}");
    seal
}

/// The text of a sealed line and its seal, or why the seal does not match.
pub(crate) fn verify_seal(raw: &[u8], before: Digest) -> Result<(&str, Digest), String> {
    let text = std::str::from_utf8(raw).map_err(|_| "the line is not UTF-8".to_owned())?;
    let start = text.len().saturating_sub(SEALED_TAIL);
    let found = found_seal(raw).ok_or_else(|| "the line does not end with a seal".to_owned())?;
    let seal = seal(&raw[..start], before);
    if seal != found {
        return Err("the seal does not match: this line or one before it was changed".to_owned());
    }
    Ok((text, seal))
}

/// The seal that a line ends with, unchecked.
pub(super) fn found_seal(raw: &[u8]) -> Option<Digest> {
    let tail = raw.get(raw.len().checked_sub(SEALED_TAIL)?..)?;
    let digits = tail.strip_prefix(SEAL.as_bytes())?.strip_suffix(b"\"}")?;
    let is_hex = digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    Digest::try_from(digits).ok()
}

/// The seal of a line whose text is this and a closing brace.
fn seal(open: &[u8], before: Digest) -> Digest {
    let mut hash = blake3::Hasher::new();
    hash.update(&before.digits()).update(open).update(b"}");
    Digest::from(&hash)
}

/// A first line with this body, for tests of what other versions write.
#[cfg(test)]
pub(crate) fn sealed_text(body: &str) -> String {
    let mut text = body.as_bytes().to_vec();
    seal_line(&mut text, 0, Digest::of(b""));
    String::from_utf8_lossy(&text).into_owned()
}
