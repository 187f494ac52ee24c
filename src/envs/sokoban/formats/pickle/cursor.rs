//! The bytes of a pickle, taken from the front. What is missing is refused with its place.

use super::refuse;
use crate::domain::LevelFormatError;

/// The most bytes of a line, which is a name of a module or of something in it.
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

    /// The next so many bytes.
    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], LevelFormatError> {
        let wanted = usize::try_from(count).ok().filter(|wanted| *wanted <= self.left());
        let Some(wanted) = wanted else {
            let left = self.left();
            return refuse(
                self.at,
                format!("the file ends too soon: {count} bytes are to follow and {left} do"),
            );
        };
        let taken = &self.bytes[self.at..self.at + wanted];
        self.at += wanted;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, LevelFormatError> {
        self.take(1).map(|taken| taken[0])
    }

    /// A number of so many bytes, at most 8, lowest first, without a sign.
    pub(super) fn number(&mut self, bytes: u64) -> Result<u64, LevelFormatError> {
        let taken = self.take(bytes)?;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// As many bytes as a number in front of them says.
    pub(super) fn counted(&mut self, bytes: u64) -> Result<&'a [u8], LevelFormatError> {
        let count = self.number(bytes)?;
        self.take(count)
    }

    /// The same, which must be text.
    pub(super) fn text(&mut self, bytes: u64) -> Result<&'a str, LevelFormatError> {
        let at = self.at;
        std::str::from_utf8(self.counted(bytes)?).or_else(|_| refuse(at, "a text is not UTF-8"))
    }

    /// A line without its end.
    pub(super) fn line(&mut self) -> Result<&'a str, LevelFormatError> {
        let (at, rest) = (self.at, &self.bytes[self.at..]);
        let Some(length) = rest.iter().take(LINE).position(|byte| *byte == b'\n') else {
            return refuse(at, format!("a name has no line end within {LINE} bytes"));
        };
        self.at += length + 1;
        std::str::from_utf8(&rest[..length]).or_else(|_| refuse(at, "a name is not UTF-8"))
    }
}

/// An integer of at most 8 bytes, lowest first, the highest bit its sign.
pub(super) fn signed(bytes: &[u8]) -> Option<i64> {
    let count = u32::try_from(bytes.len()).ok().filter(|count| *count <= 8)?;
    let plain = bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let unused = 64 - 8 * count;
    Some(if count == 0 { 0 } else { (plain << unused).cast_signed() >> unused })
}
