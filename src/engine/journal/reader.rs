//! Reads a journal line by line. A reader at the end of a journal that is still being written continues where it was.

use std::fs::File;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::blobs::SessionBlobs;
use super::error::JournalError;
use super::error::Torn;
use super::line::parse_line;
use super::pieces::Pieces;
use super::sealed_lines::Position;
use super::sealed_lines::SealedLine;
use super::sealed_lines::SealedLines;
use super::sealed_lines::damage;
use super::sealed_lines::disk;
use super::stored_event::JournalLine;
use super::stored_event::StoredEvent;
use crate::domain::BlobStore;
use crate::engine::head::Head;

/// A journal that is being read.
pub struct JournalReader {
    pub(super) lines: SealedLines,
    pub(super) parser: LineParser,
    pub(super) head: Arc<Head>,
    /// The version of its format.
    pub(super) format: u32,
}

/// Parses lines. Later lines refer to earlier ones, so it must see all of them.
pub(super) struct LineParser {
    path: PathBuf,
    /// The place after the last line that was parsed, and the episode's own time at it, in milliseconds.
    position: Position,
    at: u64,
    pieces: Pieces,
}

impl JournalReader {
    /// Opens a journal and reads its head, without taking its lock.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Self::of_file(path, File::open(path).map_err(|source| disk(path, source))?)
    }

    /// Reads a file that is already open, from its beginning.
    pub(super) fn of_file(path: &Path, file: File) -> Result<Self, JournalError> {
        let (mut lines, mut parser) = (SealedLines::new(path, file), LineParser::new(path));
        let Some(first) = lines.next()? else {
            return Err(damage(path, 1, "no complete line, so not even the head is known".to_owned()));
        };
        match parser.parse(&first)?.stored {
            StoredEvent::Head { format, head } => Ok(Self { lines, parser, head: Arc::new(*head), format }),
            _ => Err(damage(path, 1, HEAD_ONLY_FIRST.to_owned())),
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
        self.lines.path()
    }

    /// The next complete line; `None` at the end of the file as it is now. The next call looks again.
    pub fn next_line(&mut self) -> Result<Option<JournalLine>, JournalError> {
        match self.lines.next()? {
            Some(line) => self.parser.parse(&line).map(Some),
            None => Ok(None),
        }
    }

    /// The incomplete line at the end, if there is one. Known after [`JournalReader::next_line`] returned `None`.
    pub fn torn(&self) -> Option<Torn> {
        self.lines.torn()
    }

    /// The episode's own time at the last line that was read.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.parser.at)
    }

    /// The offset in bytes after the last line that was read; damage does not count.
    pub fn offset(&self) -> u64 {
        self.parser.position.offset
    }

    /// The blobs of its session.
    pub fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(SessionBlobs::of_journal(self.path()))
    }

    /// The place after the last line, and what the lines so far contain.
    pub(super) fn into_end(self) -> (Position, Pieces) {
        (self.parser.position, self.parser.pieces)
    }
}

const HEAD_ONLY_FIRST: &str = "the head must be the first line, and only that";

impl LineParser {
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), position: Position::start(), at: 0, pieces: Pieces::default() }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Parses the next line.
    pub(super) fn parse(&mut self, sealed: &SealedLine<'_>) -> Result<JournalLine, JournalError> {
        let expected = self.position.next;
        let damaged = |why: String| damage(&self.path, expected + 1, why);
        let line = parse_line(sealed.text, &mut self.pieces)
            .map_err(|error| damaged(format!("not an event: {error}")))?;
        if line.n != expected {
            let why = format!("the line is numbered {}, but {expected} is expected here", line.n);
            return Err(damaged(why));
        }
        if expected > 0 && matches!(line.stored, StoredEvent::Head { .. }) {
            return Err(damaged(HEAD_ONLY_FIRST.to_owned()));
        }
        (self.position, self.at) = (sealed.end, line.at);
        Ok(line)
    }
}
