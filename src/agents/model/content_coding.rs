//! Decompresses a body that no one asked to compress: some proxies do it all the same. A body is known by its first bytes,
//! raw deflate by its header. Sizes are limited by whoever reads the decoded bytes, which come in small portions.

use std::io;
use std::io::Write;

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// The most compressed bytes that are decoded at once, so that a portion stays below 5 MiB.
pub(super) const PORTION: usize = 4 << 10;

/// Decodes a body.
pub(super) struct ContentDecoder {
    /// The `content-encoding` that the server declared, in lower case; empty for none.
    declared: String,
    state: State,
}

enum State {
    /// The first byte, if only one has arrived.
    Unknown(Vec<u8>),
    Plain,
    Gzip(MultiGzDecoder<Vec<u8>>),
    Zlib(ZlibDecoder<Vec<u8>>),
    Deflate(DeflateDecoder<Vec<u8>>),
}

impl ContentDecoder {
    /// A decoder for a body with this `content-encoding`.
    pub(super) fn new(declared: &str) -> Self {
        Self { declared: declared.trim().to_ascii_lowercase(), state: State::Unknown(Vec::new()) }
    }

    /// The name of the compression, if there is one.
    pub(super) fn coding(&self) -> Option<&'static str> {
        match self.state {
            State::Unknown(_) | State::Plain => None,
            State::Gzip(_) => Some("gzip"),
            State::Zlib(_) | State::Deflate(_) => Some("deflate"),
        }
    }

    /// Decodes the next bytes, at most [`PORTION`] if they are compressed. The error says what is wrong.
    pub(super) fn decode(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let State::Unknown(first) = &mut self.state else { return self.decode_known(bytes) };
        if first.is_empty() {
            *first = bytes;
        } else {
            first.extend(bytes);
        }
        if first.len() < 2 {
            return Ok(Vec::new());
        }
        let first = std::mem::take(first);
        self.state = detect(&first, &self.declared)?;
        self.decode_known(first)
    }

    /// Ends the body; returns the bytes that were held back.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        match &mut self.state {
            State::Unknown(first) => std::mem::take(first),
            _ => Vec::new(),
        }
    }

    fn decode_known(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let decoded = match &mut self.state {
            State::Unknown(_) | State::Plain => return Ok(bytes),
            State::Gzip(decoder) => write_all(decoder, &bytes).map(|()| std::mem::take(decoder.get_mut())),
            State::Zlib(decoder) => write_all(decoder, &bytes).map(|()| std::mem::take(decoder.get_mut())),
            State::Deflate(decoder) => write_all(decoder, &bytes).map(|()| std::mem::take(decoder.get_mut())),
        };
        decoded.map_err(|error| format!("its compression is damaged ({error})"))
    }
}

/// Flushed, because an event of a stream must not wait for the next one.
fn write_all(decoder: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    decoder.write_all(bytes)?;
    decoder.flush()
}

fn detect(first: &[u8], declared: &str) -> Result<State, String> {
    let is_zlib = first[0] & 0x0F == 8 && (u16::from(first[0]) << 8 | u16::from(first[1])).is_multiple_of(31);
    // The first bytes of JSON, of events and of pages.
    let is_text = first[0].is_ascii_whitespace() || b"{[<\":deir\xEF".contains(&first[0]);
    Ok(match first {
        [0x1F, 0x8B, ..] => State::Gzip(MultiGzDecoder::new(Vec::new())),
        _ if is_zlib && !is_text => State::Zlib(ZlibDecoder::new(Vec::new())),
        _ if declared == "deflate" && !is_text => State::Deflate(DeflateDecoder::new(Vec::new())),
        _ if !is_text && !["", "identity", "gzip", "x-gzip", "deflate"].contains(&declared) => {
            return Err(format!(
                "it is compressed with {:?}, which was not requested; switch that off in the server or proxy",
                mageyard_domain::sanitize(declared)
            ));
        }
        _ => State::Plain,
    })
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const TEXT: &[u8] = b"data: {\"a\": \"naive\"}\n\ndata: [DONE]\n\n";

    fn compressed() -> [(Vec<u8>, &'static str, &'static str); 3] {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(TEXT).unwrap();
        zlib.write_all(TEXT).unwrap();
        raw.write_all(TEXT).unwrap();
        [
            (gzip.finish().unwrap(), "", "gzip"),
            (zlib.finish().unwrap(), "", "deflate"),
            (raw.finish().unwrap(), "deflate", "deflate"),
        ]
    }

    fn decoded(declared: &str, chunks: &[&[u8]]) -> (Vec<u8>, Option<&'static str>) {
        let mut decoder = ContentDecoder::new(declared);
        let mut all: Vec<u8> =
            chunks.iter().flat_map(|chunk| decoder.decode(chunk.to_vec()).unwrap()).collect();
        all.extend(decoder.finish());
        (all, decoder.coding())
    }

    #[test]
    fn every_split_is_decoded() {
        for (bytes, declared, coding) in compressed() {
            for at in 0..=bytes.len() {
                let halves = [&bytes[..at], &bytes[at..]];
                assert_eq!(decoded(declared, &halves), (TEXT.to_vec(), Some(coding)), "{coding} at {at}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(decoded(declared, &single).0, TEXT);
        }
    }

    #[test]
    fn a_plain_body_passes_whatever_was_declared() {
        for declared in ["", "gzip", "deflate", "br", "identity"] {
            assert_eq!(decoded(declared, &[&TEXT[..1], &TEXT[1..]]), (TEXT.to_vec(), None), "{declared}");
        }
        assert_eq!(decoded("", &[b"{"]).0, b"{");
    }

    #[test]
    fn what_cannot_be_decoded_is_named() {
        let error = ContentDecoder::new("br").decode(b"\x8B\x02\x80".to_vec()).unwrap_err();
        assert!(error.contains("compressed with \"br\", which was not requested"), "{error}");
        let error = ContentDecoder::new("").decode(b"\x1F\x8B\x08nonsense, not gzip".to_vec()).unwrap_err();
        assert!(error.contains("its compression is damaged"), "{error}");
    }

    #[test]
    fn a_portion_of_a_bomb_stays_small() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![0; 64 << 20]).unwrap();
        let bytes = encoder.finish().unwrap();
        let mut decoder = ContentDecoder::new("gzip");
        let sizes = bytes.chunks(PORTION).map(|portion| decoder.decode(portion.to_vec()).unwrap().len());
        assert!(sizes.max().unwrap() < 5 << 20);
    }
}
