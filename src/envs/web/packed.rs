//! Large texts of pages, compressed for the store.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// The most bytes that are unpacked.
const MOST: u64 = 256 << 20;

/// These bytes, compressed.
pub(crate) fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What was packed.
pub(crate) fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(packed).take(MOST + 1).read_to_end(&mut bytes)?;
    if read as u64 > MOST {
        return Err(std::io::Error::other("it has more than 256 MiB"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_and_broken_bytes_are_an_error() {
        let text = "<p>a page</p>".repeat(100);
        let packed = pack(text.as_bytes()).unwrap();
        assert!(packed.len() < text.len() / 5);
        assert_eq!(unpack(&packed).unwrap(), text.as_bytes());
        assert!(unpack(&packed[..packed.len() / 2]).is_err() && unpack(b"x").is_err());
    }
}
