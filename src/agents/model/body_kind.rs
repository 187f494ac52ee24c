//! Whether a response is a stream of events or one body. Servers and proxies declare either as anything, so the first
//! bytes decide.

/// The kinds of responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Server-sent events.
    Stream,
    /// One body.
    Whole,
}

/// The fields that a line of an event can begin with; a comment begins with a colon.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];
/// The mark that some servers put before the text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl BodyKind {
    /// The kind of a response that begins with these bytes; `None` if more are needed. `declared` is what its content
    /// type says, which decides only if it begins like neither.
    pub(super) fn detect(begin: &[u8], declared: Self) -> Option<Self> {
        if begin.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(begin) {
            return None;
        }
        let begin = without_mark(begin).trim_ascii_start();
        match begin.first()? {
            b'{' | b'[' | b'<' => Some(Self::Whole),
            _ if FIELDS.iter().any(|field| begin.starts_with(field)) => Some(Self::Stream),
            _ if FIELDS.iter().any(|field| field.starts_with(begin)) => None,
            _ => Some(declared),
        }
    }
}

/// The bytes without a byte order mark.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        use BodyKind::{Stream, Whole};
        for (begin, declared, kind) in [
            (&b"data: {"[..], Whole, Some(Stream)),
            (b"\r\n: ping", Whole, Some(Stream)),
            (b"event: message", Whole, Some(Stream)),
            (b"id:1", Whole, Some(Stream)),
            (b"retry: 5", Whole, Some(Stream)),
            (b"\xEF\xBB\xBFdata:", Whole, Some(Stream)),
            (b"\xEF\xBB\xBF {", Stream, Some(Whole)),
            (b" {\"a\"", Stream, Some(Whole)),
            (b"<!DOCTYPE", Stream, Some(Whole)),
            (b"other: x", Stream, Some(Stream)),
            (b"other: x", Whole, Some(Whole)),
            (b"", Stream, None),
            (b"\xEF\xBB", Stream, None),
            (b" \n", Stream, None),
            (b"dat", Whole, None),
            (b"date", Whole, Some(Whole)),
        ] {
            assert_eq!(BodyKind::detect(begin, declared), kind, "{begin:?}");
        }
        assert_eq!(without_mark(b"\xEF\xBB\xBFx"), b"x");
    }
}
