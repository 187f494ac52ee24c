//! The text of a file of another program: UTF-8, UTF-16 with a byte order mark, or Latin-1.

use std::borrow::Cow;

/// Text, and the encoding that it was read in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedText<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// The name of the encoding; `UTF-8`, `UTF-16` or `Latin-1`.
    pub encoding: &'static str,
}

/// Decodes the bytes of a file. An error is the first byte, from 0, that is not text in the encoding that the file
/// seems to have: a lone surrogate, or a control character other than white space.
pub fn decode_text(bytes: &[u8]) -> Result<DecodedText<'_>, usize> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => decode_bytes(bytes),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<DecodedText<'static>, usize> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text = String::new();
    // The byte order mark has two bytes.
    let mut at = 2;
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let c = decoded.map_err(|_| at)?;
        text.push(c);
        at += 2 * c.len_utf16();
    }
    if odd.is_empty() { Ok(DecodedText { text: text.into(), encoding: "UTF-16" }) } else { Err(at) }
}

fn decode_bytes(bytes: &[u8]) -> Result<DecodedText<'_>, usize> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        return Ok(DecodedText { text: text.into(), encoding: "UTF-8" });
    }
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    match bytes.iter().position(is_control) {
        Some(at) => Err(at),
        None => Ok(DecodedText {
            text: bytes.iter().copied().map(char::from).collect::<String>().into(),
            encoding: "Latin-1",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<(String, &'static str), usize> {
        decode_text(bytes).map(|found| (found.text.into_owned(), found.encoding))
    }

    #[test]
    fn each_encoding_is_read_or_refused_with_the_byte() {
        let utf16 = |text: &str, unit: fn(u16) -> [u8; 2], mark: [u8; 2]| {
            let units = text.encode_utf16().flat_map(unit);
            mark.into_iter().chain(units).collect::<Vec<u8>>()
        };
        let text = "; é𝄞\n#@$.#";
        assert_eq!(decoded(text.as_bytes()), Ok((text.into(), "UTF-8")));
        assert_eq!(decoded("\u{feff}#".as_bytes()), Ok(("#".into(), "UTF-8")));
        let little = utf16(text, u16::to_le_bytes, [0xff, 0xfe]);
        assert_eq!(decoded(&little), Ok((text.into(), "UTF-16")));
        assert_eq!(decoded(&utf16(text, u16::to_be_bytes, [0xfe, 0xff])), Ok((text.into(), "UTF-16")));
        assert_eq!(decoded(b"; \xe9\r\n#"), Ok(("; é\r\n#".into(), "Latin-1")));
        assert_eq!(decoded(&little[..little.len() - 1]), Err(little.len() - 2), "half a unit");
        assert_eq!(decoded(&[0xff, 0xfe, b'#', 0, 0, 0xd8, b'#', 0]), Err(4));
        assert_eq!(decoded(b"\xe9\x00#"), Err(1));
    }
}
