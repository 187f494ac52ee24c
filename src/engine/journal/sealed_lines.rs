//! The lines of a journal as text, with checked seals. The file is never in memory as a whole.

use std::fs::File;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;

use super::error::Damage;
use super::error::JournalError;
use super::error::Torn;
use super::seal::verify_seal;
use crate::domain::Digest;
use crate::engine::head::JOURNAL_FORMAT;

/// The buffer of the file, in bytes.
const BUFFER: usize = 1 << 16;

/// A place between two lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// The number of the next line.
    pub(super) next: u64,
    /// The seal of the line before it.
    pub(super) seal: Digest,
    /// The offset in the file, in bytes.
    pub(super) offset: u64,
}

impl Position {
    /// The beginning of a file.
    pub(super) fn start() -> Self {
        Self { next: 0, seal: Digest::of(b""), offset: 0 }
    }
}

/// A line whose seal is right.
pub(super) struct SealedLine<'a> {
    /// The line without its line break.
    pub(super) text: &'a str,
    /// The place after it.
    pub(super) end: Position,
}

/// The lines of a file, one after the other.
pub(super) struct SealedLines {
    path: PathBuf,
    file: BufReader<File>,
    position: Position,
    /// The last line, or what there is of the next one.
    line: Vec<u8>,
}

impl SealedLines {
    /// Reads a file from its beginning.
    pub(super) fn new(path: &Path, file: File) -> Self {
        let file = BufReader::with_capacity(BUFFER, file);
        Self { path: path.to_owned(), file, position: Position::start(), line: Vec::new() }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next complete line; `None` at the end of the file as it is now. The next call looks again.
    pub(super) fn next(&mut self) -> Result<Option<SealedLine<'_>>, JournalError> {
        if self.line.last() == Some(&b'\n') {
            self.line.clear();
        }
        let read = self.file.read_until(b'\n', &mut self.line);
        let read = read.map_err(|source| disk(&self.path, source))?;
        let Some(raw) = self.line.strip_suffix(b"\n") else {
            if read == 0 {
                self.check_length()?;
            }
            return Ok(None);
        };
        if self.position.next == 0 {
            refuse_newer(&self.path, raw)?;
        }
        let verified = verify_seal(raw, self.position.seal);
        let (text, seal) = verified.map_err(|why| damage(&self.path, self.position.next + 1, why))?;
        let (next, offset) = (self.position.next + 1, self.position.offset + self.line.len() as u64);
        self.position = Position { next, seal, offset };
        Ok(Some(SealedLine { text, end: self.position }))
    }

    /// The incomplete line at the end, if there is one. Known after [`SealedLines::next`] returned `None`.
    pub(super) fn torn(&self) -> Option<Torn> {
        let torn = self.line.last().is_some_and(|&byte| byte != b'\n');
        torn.then_some(Torn { bytes: self.line.len() })
    }

    /// The bytes of the file that were not read yet.
    pub(super) fn unread_length(&self) -> Result<u64, JournalError> {
        Ok(self.length()?.saturating_sub(self.position.offset))
    }

    fn length(&self) -> Result<u64, JournalError> {
        let data = self.file.get_ref().metadata();
        Ok(data.map_err(|source| disk(&self.path, source))?.len())
    }

    /// A file that has become shorter is another file: what was read is not its beginning.
    fn check_length(&self) -> Result<(), JournalError> {
        if self.length()? >= self.position.offset + self.line.len() as u64 {
            return Ok(());
        }
        Err(damage(&self.path, self.position.next + 1, "the file has become shorter".to_owned()))
    }
}

/// The error for damage in this line, from 1.
pub(super) fn damage(path: &Path, line: u64, why: String) -> JournalError {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    JournalError::Damaged { path: path.to_owned(), damage: Damage { line, why } }
}

/// The error for a file that the system cannot read.
pub(super) fn disk(path: &Path, source: io::Error) -> JournalError {
    JournalError::Disk { path: path.to_owned(), source }
}

#[derive(Deserialize)]
struct FormatField {
    format: u32,
}

/// Checks the version before anything else: a newer head may have another form and another seal.
fn refuse_newer(path: &Path, head: &[u8]) -> Result<(), JournalError> {
    match serde_json::from_slice::<FormatField>(head) {
        Ok(FormatField { format: found }) if found > JOURNAL_FORMAT => {
            Err(JournalError::Newer { path: path.to_owned(), found })
        }
        _ => Ok(()),
    }
}
