//! Halves of characters: a server that sends each token by itself splits characters between two chunks, either as the
//! two halves of a surrogate pair (`\ud83d` and `\ude00`) or as single bytes of UTF-8. The halves are joined; one that
//! stays alone becomes U+FFFD.
//!
//! Between the JSON text and the join a half is one character of a private range (see [`half_of_byte`]).

use std::borrow::Cow;

/// The private characters that stand for single bytes, from 0.
const BYTES: u32 = 0x10_F000;
/// The private characters that stand for surrogates, from U+D800.
const SURROGATES: u32 = 0x10_F800;
/// The first surrogate, and the first of the second halves.
const FIRST_SURROGATE: u32 = 0xD800;
const FIRST_LOW: u32 = 0xDC00;

/// The character that stands for a byte that is not UTF-8.
pub(super) fn half_of_byte(byte: u8) -> char {
    char::from_u32(BYTES + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The character that stands for a surrogate without its other half.
pub(super) fn half_of_surrogate(surrogate: u16) -> char {
    let offset = u32::from(surrogate).saturating_sub(FIRST_SURROGATE);
    char::from_u32(SURROGATES + offset).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Whether a character of a text could be taken for a half.
pub(super) fn is_reserved(character: char) -> bool {
    u32::from(character) >= BYTES
}

/// The text with U+FFFD in place of each half.
pub(super) fn replace_halves(text: &str) -> String {
    text.chars().map(|c| if is_reserved(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// What a character stands for.
enum Half {
    Byte(u8),
    High(u32),
    Low(u32),
    Whole,
}

fn half_of(character: char) -> Half {
    match u32::from(character) {
        code if code >= SURROGATES => match code - SURROGATES + FIRST_SURROGATE {
            low if low >= FIRST_LOW => Half::Low(low),
            high => Half::High(high),
        },
        code if code >= BYTES => u8::try_from(code - BYTES).map_or(Half::Whole, Half::Byte),
        _ => Half::Whole,
    }
}

/// Joins the halves in a text that arrives in chunks.
#[derive(Debug, Default)]
pub(super) struct HalfJoiner {
    bytes: Vec<u8>,
    high: Option<u32>,
    /// How many halves and bytes were replaced.
    replaced: usize,
}

impl HalfJoiner {
    /// Adds a chunk; `has_halves` says whether it contains characters that stand for halves. Returns what is complete.
    pub(super) fn join<'t>(&mut self, chunk: &'t str, has_halves: bool) -> Cow<'t, str> {
        let waits = self.high.is_some() || !self.bytes.is_empty();
        if chunk.is_empty() || (!has_halves && !waits) {
            return Cow::Borrowed(chunk);
        }
        let mut text = String::with_capacity(chunk.len());
        for character in chunk.chars() {
            match half_of(character) {
                _ if !has_halves => self.take_whole(character, &mut text),
                Half::Whole => self.take_whole(character, &mut text),
                Half::Byte(byte) => self.take_byte(byte, &mut text),
                Half::High(high) => {
                    self.replace_waiting(&mut text);
                    self.high = Some(high);
                }
                Half::Low(low) => self.take_low(low, &mut text),
            }
        }
        Cow::Owned(text)
    }

    /// Ends the text; returns U+FFFD if a half is left.
    pub(super) fn finish(&mut self) -> String {
        let mut text = String::new();
        self.replace_waiting(&mut text);
        text
    }

    /// How many halves and bytes were replaced by U+FFFD.
    pub(super) fn replaced(&self) -> usize {
        self.replaced
    }

    fn take_whole(&mut self, character: char, text: &mut String) {
        self.replace_waiting(text);
        text.push(character);
    }

    fn take_low(&mut self, low: u32, text: &mut String) {
        if let Some(high) = self.high.take() {
            let code = 0x1_0000 + ((high - FIRST_SURROGATE) << 10) + (low - FIRST_LOW);
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        } else {
            self.replace_waiting(text);
            self.replace(text);
        }
    }

    fn take_byte(&mut self, byte: u8, text: &mut String) {
        if self.high.is_some() {
            self.replace_waiting(text);
        }
        self.bytes.push(byte);
        loop {
            match std::str::from_utf8(&self.bytes) {
                Ok(whole) => {
                    text.push_str(whole);
                    return self.bytes.clear();
                }
                Err(error) => match error.error_len() {
                    Some(length) => {
                        self.bytes.drain(..length);
                        self.replace(text);
                    }
                    None => return,
                },
            }
        }
    }

    /// Gives up the half or the bytes that wait for the rest of their character.
    fn replace_waiting(&mut self, text: &mut String) {
        if self.high.take().is_some() || !self.bytes.is_empty() {
            self.bytes.clear();
            self.replace(text);
        }
    }

    fn replace(&mut self, text: &mut String) {
        self.replaced += 1;
        text.push(char::REPLACEMENT_CHARACTER);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A part of a text: a whole text, a surrogate or a byte.
    #[derive(Clone, Debug)]
    enum Part {
        Text(String),
        Surrogate(u16),
        Byte(u8),
    }

    impl Part {
        fn written(&self) -> String {
            match self {
                Self::Text(text) => text.clone(),
                Self::Surrogate(half) => half_of_surrogate(*half).into(),
                Self::Byte(byte) => half_of_byte(*byte).into(),
            }
        }
    }

    /// What the parts say by the decoders of the standard library, each run of surrogates or bytes by itself.
    fn decoded(parts: &[Part]) -> String {
        let parts: Vec<&Part> =
            parts.iter().filter(|part| !matches!(part, Part::Text(text) if text.is_empty())).collect();
        let runs = parts.chunk_by(|a, b| std::mem::discriminant(*a) == std::mem::discriminant(*b));
        runs.map(|run| {
            let texts = run
                .iter()
                .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None });
            let units = run
                .iter()
                .filter_map(|part| if let Part::Surrogate(unit) = part { Some(*unit) } else { None });
            let bytes =
                run.iter().filter_map(|part| if let Part::Byte(byte) = part { Some(*byte) } else { None });
            let units = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
            texts.collect::<String>()
                + &units.collect::<String>()
                + &String::from_utf8_lossy(&bytes.collect::<Vec<_>>())
        })
        .collect()
    }

    fn joined(chunks: &[&str]) -> (String, usize) {
        let mut joiner = HalfJoiner::default();
        let mut text: String = chunks.iter().map(|chunk| joiner.join(chunk, true).into_owned()).collect();
        text.push_str(&joiner.finish());
        (text, joiner.replaced())
    }

    fn part() -> impl Strategy<Value = Part> {
        prop_oneof![
            "[a-zé🧙]{0,3}".prop_map(Part::Text),
            (0xD800_u16..0xE000).prop_map(Part::Surrogate),
            (0x80_u8..=0xFF).prop_map(Part::Byte),
        ]
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_text(parts in prop::collection::vec(part(), 0..12)) {
            let chunks: Vec<String> = parts.iter().map(Part::written).collect();
            let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
            let whole = joined(&[&chunks.concat()]);
            prop_assert_eq!(&joined(&chunks), &whole);
            prop_assert_eq!(&whole.0, &decoded(&parts));
        }

        #[test]
        fn characters_in_two_halves_are_joined(text in "\\PC{0,12}") {
            let text: String = text.chars().filter(|c| !is_reserved(*c)).collect();
            let surrogates: String = text.encode_utf16().map(|unit| match unit {
                0xD800..=0xDFFF => half_of_surrogate(unit),
                unit => char::from_u32(unit.into()).unwrap(),
            }).collect();
            let bytes: String = text.bytes().map(|byte| match byte {
                0x80.. => half_of_byte(byte),
                byte => byte.into(),
            }).collect();
            for written in [surrogates, bytes] {
                let letters: Vec<String> = written.chars().map(String::from).collect();
                let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
                prop_assert_eq!(joined(&letters), (text.clone(), 0));
            }
        }
    }

    #[test]
    fn a_lone_half_is_replaced_and_counted() {
        let high = half_of_surrogate(0xD83D).to_string();
        let low = half_of_surrogate(0xDE00).to_string();
        assert_eq!(joined(&["a", &high, "", &low, "b"]), ("a😀b".to_owned(), 0));
        assert_eq!(joined(&[&high, "b"]), ("\u{FFFD}b".to_owned(), 1));
        assert_eq!(joined(&[&low, &high]), ("\u{FFFD}\u{FFFD}".to_owned(), 2));
        assert_eq!(joined(&[&half_of_byte(0xF0).to_string()]), ("\u{FFFD}".to_owned(), 1));
    }
}
