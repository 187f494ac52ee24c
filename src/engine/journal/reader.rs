//! Reads a journal line by line. The file is never in memory as a whole, and a reader at the end of a journal that is
//! still being written continues where it was.

use std::fs::File;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::blobs::SessionBlobs;
use super::error::Damage;
use super::error::JournalError;
use super::error::Torn;
use super::line::parse_line;
use super::pieces::Pieces;
use super::seal::verify_seal;
use super::stored_event::JournalLine;
use super::stored_event::StoredEvent;
use crate::domain::BlobStore;
use crate::domain::Digest;
use crate::engine::head::Head;
use crate::engine::head::JOURNAL_FORMAT;

/// The buffer of the file, in bytes.
const BUFFER: usize = 1 << 16;

/// A journal that is being read.
pub struct JournalReader {
    file: BufReader<File>,
    state: ReaderState,
    head: Arc<Head>,
    /// The version of its format.
    format: u32,
}

/// How far a reader is.
struct ReaderState {
    path: PathBuf,
    /// The number of the next line.
    next: u64,
    /// The episode's own time at the line before it, in milliseconds.
    at: u64,
    /// The seal of the line before it, and its offset in the file.
    seal: Digest,
    offset: u64,
    /// What there is of the next line.
    line: Vec<u8>,
    pieces: Pieces,
}

impl JournalReader {
    /// Opens a journal and reads its head, without taking its lock.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let file = File::open(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
        Self::of_file(path, file)
    }

    /// Reads a file that is already open, from its beginning.
    pub(super) fn of_file(path: &Path, file: File) -> Result<Self, JournalError> {
        let mut file = BufReader::with_capacity(BUFFER, file);
        let mut state = ReaderState {
            path: path.to_owned(),
            next: 0,
            at: 0,
            seal: Digest::of(b""),
            offset: 0,
            line: Vec::new(),
            pieces: Pieces::default(),
        };
        match state.next_line(&mut file)?.map(|line| line.stored) {
            Some(StoredEvent::Head { format, head }) => {
                Ok(Self { file, state, head: Arc::new(*head), format })
            }
            Some(_) => Err(state.damage(1, HEAD_ONLY_FIRST.to_owned())),
            None => Err(state.damage(1, "no complete line, so not even the head is known".to_owned())),
        }
    }

    /// The settings that the episode was started with.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// The version of its format.
    pub fn format(&self) -> u32 {
        self.format
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.state.path
    }

    /// The next complete line; `None` at the end of the file as it is now. The next call looks again. After an error
    /// the reader stays before the damaged line.
    pub fn next_line(&mut self) -> Result<Option<JournalLine>, JournalError> {
        match self.state.next_line(&mut self.file)? {
            Some(JournalLine { n, stored: StoredEvent::Head { .. }, .. }) => {
                Err(self.state.damage(n + 1, HEAD_ONLY_FIRST.to_owned()))
            }
            line => Ok(line),
        }
    }

    /// The incomplete line at the end, if there is one. Known after [`JournalReader::next_line`] returned `None`.
    pub fn torn(&self) -> Option<Torn> {
        (!self.state.line.is_empty()).then_some(Torn { bytes: self.state.line.len() })
    }

    /// The episode's own time at the last line that was read.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.state.at)
    }

    /// The offset in bytes after the last line that was read.
    pub fn offset(&self) -> u64 {
        self.state.offset
    }

    /// The blobs of its session.
    pub fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(SessionBlobs::of_journal(&self.state.path))
    }

    /// The number and the seal for the next line, and what the lines so far contain.
    pub(super) fn into_end(self) -> (u64, Digest, u64, Pieces) {
        (self.state.next, self.state.seal, self.state.offset, self.state.pieces)
    }
}

const HEAD_ONLY_FIRST: &str = "the head must be the first line, and only that";

impl ReaderState {
    fn next_line(&mut self, file: &mut BufReader<File>) -> Result<Option<JournalLine>, JournalError> {
        let read = file.read_until(b'\n', &mut self.line).map_err(|source| self.disk(source))?;
        if self.line.last() != Some(&b'\n') {
            if read == 0 {
                self.check_length(file.get_ref())?;
            }
            return Ok(None);
        }
        let raw = std::mem::take(&mut self.line);
        let taken = self.take_line(raw.strip_suffix(b"\n").unwrap_or(&raw));
        // The buffer is kept for the next line.
        let length = raw.len() as u64;
        let line = taken.map_err(|error| match error {
            LineError::Newer(found) => JournalError::Newer { path: self.path.clone(), found },
            LineError::Damage(why) => self.damage(self.next + 1, why),
        })?;
        (self.line, self.offset, self.next) = (raw, self.offset + length, self.next + 1);
        self.line.clear();
        Ok(Some(line))
    }

    fn take_line(&mut self, raw: &[u8]) -> Result<JournalLine, LineError> {
        if self.next == 0 {
            refuse_newer(raw)?;
        }
        let (text, seal) = verify_seal(raw, self.seal).map_err(LineError::Damage)?;
        let line = parse_line(text, &mut self.pieces)
            .map_err(|error| LineError::Damage(format!("not an event: {error}")))?;
        if line.n != self.next {
            let why = format!("the line is numbered {}, but {} is expected here", line.n, self.next);
            return Err(LineError::Damage(why));
        }
        (self.seal, self.at) = (seal, line.at);
        Ok(line)
    }

    /// A file that has become shorter is another file: what was read is not its beginning.
    fn check_length(&self, file: &File) -> Result<(), JournalError> {
        let length = file.metadata().map_err(|source| self.disk(source))?.len();
        if length >= self.offset + self.line.len() as u64 {
            return Ok(());
        }
        Err(self.damage(self.next + 1, "the file has become shorter".to_owned()))
    }

    fn damage(&self, line: u64, why: String) -> JournalError {
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        JournalError::Damaged { path: self.path.clone(), damage: Damage { line, why } }
    }

    fn disk(&self, source: io::Error) -> JournalError {
        JournalError::Disk { path: self.path.clone(), source }
    }
}

enum LineError {
    Damage(String),
    Newer(u32),
}

#[derive(Deserialize)]
struct FormatField {
    format: u32,
}

/// Checks the version before anything else: a newer head may have another form and another seal.
fn refuse_newer(head: &[u8]) -> Result<(), LineError> {
    match serde_json::from_slice::<FormatField>(head) {
        Ok(FormatField { format }) if format > JOURNAL_FORMAT => Err(LineError::Newer(format)),
        _ => Ok(()),
    }
}
