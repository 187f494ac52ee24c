//! The bytes of a pickle, read from the front. Missing bytes are refused with their place.

use super::refuse;
use mageyard_domain::LevelFormatError;

/// The most bytes of a line, which is a module or a name.
const LINE: usize = 256;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], LevelFormatError> {
        let wanted = usize::try_from(count).ok().filter(|wanted| *wanted <= self.left());
        let Some(wanted) = wanted else {
            let left = self.left();
            return refuse(self.at, format!("the file ends too soon: {count} bytes expected, {left} left"));
        };
        let taken = &self.bytes[self.at..self.at + wanted];
        self.at += wanted;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, LevelFormatError> {
        self.take(1).map(|taken| taken[0])
    }

    /// An unsigned number of `bytes` bytes, at most 8, lowest first.
    pub(super) fn number(&mut self, bytes: u64) -> Result<u64, LevelFormatError> {
        let taken = self.take(bytes)?;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Bytes with their count in front.
    pub(super) fn counted(&mut self, bytes: u64) -> Result<&'a [u8], LevelFormatError> {
        let count = self.number(bytes)?;
        self.take(count)
    }

    /// Text with its length in front.
    pub(super) fn text(&mut self, bytes: u64) -> Result<&'a str, LevelFormatError> {
        let at = self.at;
        std::str::from_utf8(self.counted(bytes)?).or_else(|_| refuse(at, "a text is not UTF-8"))
    }

    /// A line without its end.
    pub(super) fn line(&mut self) -> Result<&'a str, LevelFormatError> {
        let at = self.at;
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().take(LINE).position(|byte| *byte == b'\n') else {
            return refuse(at, format!("a name has no line end within {LINE} bytes"));
        };
        self.at += length + 1;
        std::str::from_utf8(&rest[..length]).or_else(|_| refuse(at, "a name is not UTF-8"))
    }
}

/// A signed integer of at most 8 bytes, lowest first.
pub(super) fn signed(bytes: &[u8]) -> Option<i64> {
    let count = u32::try_from(bytes.len()).ok().filter(|count| *count <= 8)?;
    let plain = bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let unused = 64 - 8 * count;
    Some(if count == 0 { 0 } else { (plain << unused).cast_signed() >> unused })
}
