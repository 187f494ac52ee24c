//! Seals: each line's digest over itself and the seal before it.

use std::io::Write as _;

use super::stored_event::JournalLine;
use crate::domain::Digest;

const SEAL: &str = ",\"seal\":\"";
const SEALED_TAIL: usize = SEAL.len() + 16 + 2;

/// Replaces `text` with the sealed line and its line break, and returns the seal.
pub(super) fn seal_into(text: &mut Vec<u8>, line: &JournalLine, before: Digest) -> Digest {
    text.clear();
    // A line is plain data with string keys and always serializes; writing to a Vec does not fail.
    let _ = serde_json::to_writer(&mut *text, line);
    let seal = seal(text, before);
    text.pop();
    let _ = writeln!(text, "{SEAL}{seal}\"}}");
    seal
}

/// The body of a sealed line and its seal, or why the seal does not match.
pub(super) fn verify_seal(raw: &[u8], before: Digest) -> Result<(String, Digest), String> {
    let text = std::str::from_utf8(raw).map_err(|_| "the line is not UTF-8".to_owned())?;
    let start = text.len().saturating_sub(SEALED_TAIL);
    let tail = text.get(start..).unwrap_or_default();
    let found = tail.strip_prefix(SEAL).and_then(|rest| rest.strip_suffix("\"}"));
    let found = found.ok_or_else(|| "the line does not end with a seal".to_owned())?;
    let body = format!("{}}}", &text[..start]);
    let seal = seal(body.as_bytes(), before);
    if seal.to_string() != found {
        return Err("the seal does not match: this line or one before it was changed".to_owned());
    }
    Ok((body, seal))
}

/// The seal that a line ends with, unchecked.
pub(super) fn found_seal(raw: &[u8]) -> Option<Digest> {
    let tail = raw.get(raw.len().checked_sub(SEALED_TAIL)?..)?;
    let digits = tail.strip_prefix(SEAL.as_bytes())?.strip_suffix(b"\"}")?;
    Digest::try_from(std::str::from_utf8(digits).ok()?.to_owned()).ok()
}

fn seal(body: &[u8], before: Digest) -> Digest {
    let mut hash = blake3::Hasher::new();
    // Writing to a hasher does not fail.
    let _ = write!(hash, "{before}");
    hash.update(body);
    Digest::from(&hash)
}

/// A first line with this body, for tests of what other versions write.
#[cfg(test)]
pub(in crate::engine) fn sealed_text(body: &str) -> String {
    let seal = seal(body.as_bytes(), Digest::of(b""));
    format!("{}{SEAL}{seal}\"}}\n", &body[..body.len() - 1])
}
