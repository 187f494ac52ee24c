//! The lines of a journal as text, with checked seals. The file is never in memory as a whole.

use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::{Damage, JournalError, Torn};
use super::seal::verify_seal;
use crate::head::BRANCH_FORMAT;
use mageyard_domain::Digest;

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
    /// Which file of a lineage it is from; the oldest ancestor's is 0.
    pub(super) file: usize,
}

/// The lines of a file, one after the other.
pub(super) struct SealedLines {
    path: PathBuf,
    file: BufReader<File>,
    position: Position,
    /// Where reading ends, if it is not the end of the file.
    end: Option<Position>,
    /// The last line, or what there is of the next one.
    line: Vec<u8>,
}

impl SealedLines {
    /// Reads a file from its beginning.
    pub(super) fn new(path: &Path, file: File) -> Self {
        let file = BufReader::with_capacity(BUFFER, file);
        Self { path: path.to_owned(), file, position: Position::start(), end: None, line: Vec::new() }
    }

    /// Goes back to the first line.
    pub(super) fn rewind(&mut self) -> Result<(), JournalError> {
        self.file.rewind().map_err(|source| disk(&self.path, source))?;
        self.position = Position::start();
        self.line.clear();
        Ok(())
    }

    /// Makes this place the end. The lines after it do not belong to what is read.
    pub(super) fn end_at(&mut self, end: Position) {
        self.end = Some(end);
    }

    /// Whether reading has come to the end that was set. The lines must be those that the end was set for.
    pub(super) fn is_at_end(&self) -> Result<bool, JournalError> {
        let Some(end) = self.end.filter(|end| end.next <= self.position.next) else { return Ok(false) };
        if (end.seal, end.offset) == (self.position.seal, self.position.offset) {
            return Ok(true);
        }
        let why = "the line is not the one that a branch was made after".to_owned();
        Err(damage(&self.path, self.position.next, why))
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
            return self.end.map_or(Ok(None), |end| Err(self.too_short(end)));
        };
        if self.position.next == 0 {
            refuse_newer(&self.path, raw)?;
        }
        let verified = verify_seal(raw, self.position.seal);
        let (text, seal) = verified.map_err(|why| damage(&self.path, self.position.next + 1, why))?;
        let next = self.position.next + 1;
        let offset = self.position.offset + self.line.len() as u64;
        self.position = Position { next, seal, offset };
        Ok(Some(SealedLine { text, end: self.position, file: 0 }))
    }

    fn too_short(&self, end: Position) -> JournalError {
        let why = format!("the file ends here, and a branch needs its first {} lines", end.next);
        damage(&self.path, self.position.next + 1, why)
    }

    /// The incomplete line at the end, if there is one. Known after [`SealedLines::next`] returned `None`.
    pub(super) fn torn(&self) -> Option<Torn> {
        let torn = self.line.last().is_some_and(|&byte| byte != b'\n');
        torn.then_some(Torn { bytes: self.line.len() })
    }

    /// The bytes of the file that were not read yet.
    pub(super) fn unread_length(&self) -> Result<u64, JournalError> {
        let end = self.end.map_or_else(|| self.length(), |end| Ok(end.offset))?;
        Ok(end.saturating_sub(self.position.offset))
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

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> Result<File, JournalError> {
    File::open(path).map_err(|source| disk(path, source))
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
        Ok(FormatField { format: found }) if found > BRANCH_FORMAT => {
            Err(JournalError::Newer { path: path.to_owned(), found })
        }
        _ => Ok(()),
    }
}
