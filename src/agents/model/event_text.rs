//! Parses the JSON of an event or a body. What strict JSON refuses, but servers send, is repaired: bytes that are not
//! UTF-8, halves of surrogate pairs, and numbers such as `NaN`.

use serde::de::IgnoredAny;
use serde_json_borrow::Value;

use super::halves::{half_of_byte, half_of_surrogate, is_reserved};

/// A parsed event.
#[derive(Debug, PartialEq)]
pub(super) struct ParsedEvent<'a> {
    pub(super) value: Value<'a>,
    /// Whether its texts have characters that stand for halves, see [`super::halves`].
    pub(super) has_halves: bool,
    /// Whether a number that JSON does not have was read as null.
    pub(super) has_nan: bool,
}

/// Parses an event, and returns what `take` makes of it. `redact` removes the keys from its text. An error has the redacted
/// text.
pub(super) fn parse<T>(
    bytes: &[u8],
    redact: impl Fn(String) -> String,
    take: impl FnOnce(&ParsedEvent<'_>) -> T,
) -> Result<T, (String, serde_json::Error)> {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(value) = serde_json::from_str(&redact(text.to_owned()))
    {
        return Ok(take(&ParsedEvent { value, has_halves: false, has_nan: false }));
    }
    let Repair { text, has_halves, has_nan, .. } = Repair::of(bytes);
    let text = redact(text);
    let parsed = serde_json::from_str(&text).map(|value| take(&ParsedEvent { value, has_halves, has_nan }));
    parsed.map_err(|error| (text, error))
}

/// Whether the bytes are a complete JSON text, if need be after their repair.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    check(bytes).is_ok()
}

/// Whether the bytes begin like a JSON object.
pub(super) fn begins_object(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Whether the bytes are the beginning of a JSON object, if need be after their repair.
pub(super) fn is_truncated(bytes: &[u8]) -> bool {
    begins_object(bytes) && check(bytes).is_err_and(|error| error.is_eof())
}

fn check(bytes: &[u8]) -> serde_json::Result<IgnoredAny> {
    serde_json::from_slice(bytes).or_else(|_| serde_json::from_str(&Repair::of(bytes).text))
}

/// Numbers that some servers write and JSON does not have.
const NOT_NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// A text that is being repaired.
#[derive(Debug, Default)]
struct Repair {
    text: String,
    /// Whether the text uses the characters that stand for halves itself, so that no half can be kept.
    has_reserved: bool,
    has_halves: bool,
    has_nan: bool,
}

impl Repair {
    fn of(bytes: &[u8]) -> Self {
        let mut repair = Self { has_reserved: has_reserved(bytes), ..Self::default() };
        let mut decoded = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            decoded.push_str(chunk.valid());
            decoded.extend(chunk.invalid().iter().map(|byte| repair.half(half_of_byte(*byte))));
        }
        repair.take(&decoded);
        repair
    }

    /// The character for a half.
    fn half(&mut self, half: char) -> char {
        self.has_halves |= !self.has_reserved;
        if self.has_reserved { char::REPLACEMENT_CHARACTER } else { half }
    }

    fn take(&mut self, decoded: &str) {
        let mut rest = decoded;
        let mut in_string = false;
        while let Some(next) = rest.chars().next() {
            let not_number = NOT_NUMBERS.iter().find(|word| !in_string && rest.starts_with(**word));
            let length = match (next, not_number) {
                ('\\', _) if in_string => self.take_escape(rest),
                (_, Some(word)) => {
                    self.has_nan = true;
                    self.text.push_str("null");
                    word.len()
                }
                _ => {
                    in_string ^= next == '"';
                    self.text.push(next);
                    next.len_utf8()
                }
            };
            rest = &rest[length..];
        }
    }

    /// Takes the escape sequence at the beginning; returns its length.
    fn take_escape(&mut self, rest: &str) -> usize {
        let first = code_unit(rest);
        let second = rest.get(6..).and_then(code_unit);
        let length = match (first, second) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(lone @ 0xD800..=0xDFFF), _) => {
                let half = self.half(half_of_surrogate(lone));
                self.text.push(half);
                return 6;
            }
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        self.text.push_str(&rest[..length]);
        length
    }
}

/// The code unit of the escape sequence `\uXXXX` at the beginning.
fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

/// Whether a text has characters that stand for halves, written out or escaped.
fn has_reserved(bytes: &[u8]) -> bool {
    let written = || bytes.utf8_chunks().any(|chunk| chunk.valid().chars().any(is_reserved));
    let escaped = |window: &[u8]| {
        window.starts_with(b"\\u")
            && window[2..5].eq_ignore_ascii_case(b"dbf")
            && matches!(window[5].to_ascii_lowercase(), b'c'..=b'f')
    };
    written() || bytes.windows(6).any(escaped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::halves::replace_halves;
    use super::*;

    /// The value, whether it has halves, and whether it has numbers that JSON does not have.
    fn parsed(bytes: &[u8]) -> (serde_json::Value, bool, bool) {
        let parts = |event: &ParsedEvent<'_>| ((&event.value).into(), event.has_halves, event.has_nan);
        parse(bytes, |text| text, parts).unwrap()
    }

    #[test]
    fn strict_json_is_not_touched() {
        let text = "{\"a\": \"é\\ud83d\\ude00\\u0041 NaN\", \"b\": [1, null]}";
        let value = json!({"a": "é😀A NaN", "b": [1, null]});
        assert_eq!(parsed(text.as_bytes()), (value, false, false));
    }

    #[test]
    fn numbers_that_json_lacks_become_null() {
        let value = json!({"logprob": [null, null, null], "text": "NaN \" Infinity"});
        let text = br#"{"logprob": [NaN, -Infinity, Infinity], "text": "NaN \" Infinity"}"#;
        assert_eq!(parsed(text), (value, false, true));
        assert!(parse(b"{\"a\": NaNo}", |text| text, |_| ()).is_err());
    }

    #[test]
    fn halves_and_bad_bytes_are_kept_for_the_join() {
        for (bytes, shown) in [
            (&br#"{"a": "x\ud83d"}"#[..], "x\u{FFFD}"),
            (br#"{"a": "\uDE00\n\\"}"#, "\u{FFFD}\n\\"),
            (br#"{"a": "\ud83d\ud83d\ude00"}"#, "\u{FFFD}😀"),
            (b"{\"a\": \"x\xF0\x9F\"}", "x\u{FFFD}\u{FFFD}"),
        ] {
            let (value, has_halves, _) = parsed(bytes);
            assert!(has_halves);
            assert_eq!(replace_halves(value["a"].as_str().unwrap()), shown);
        }
    }

    #[test]
    fn a_text_with_the_reserved_characters_loses_only_its_halves() {
        for text in ["{\"a\": \"\u{10FFFD}\\ud83d\"}", r#"{"a": "\udbff\udffd\ud83d"}"#] {
            assert_eq!(parsed(text.as_bytes()), (json!({"a": "\u{10FFFD}\u{FFFD}"}), false, false));
        }
    }

    #[test]
    fn a_text_that_needs_repair_is_complete_or_truncated_like_any_other() {
        for (text, complete, truncated) in [
            (&br#"{"a": NaN}"#[..], true, false),
            (br#" {"a": -Infinity, "b": [1"#, false, true),
            (b"{\"a\": \"\xFF\"}", true, false),
            (b"{\"a\": \"\xFF", false, true),
            (br#"{"a": 1}"#, true, false),
            (br#"{"a": 1"#, false, true),
            (b"[NaN", false, false),
            (b"{\"a\": NaNo}", false, false),
        ] {
            assert_eq!((is_complete(text), is_truncated(text)), (complete, truncated), "{text:?}");
        }
    }

    #[test]
    fn the_error_is_about_the_redacted_text() {
        let (text, _) = parse(b"{secret \xFF", |text| text.replace("secret", "***"), |_| ()).unwrap_err();
        assert!(text.starts_with("{***"), "{text}");
    }
}
