//! Reads a journal line by line. A reader at the end of a journal that is still being written continues where it was.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::blobs::SessionBlobs;
use super::branch_folder::episode_folder;
use super::error::{JournalError, Torn};
use super::line::{line_event, parse_line};
use super::lineage::{HEAD_ONLY_FIRST, Lineage, OwnHead};
use super::pieces::Pieces;
use super::sealed_lines::{Position, SealedLine, damage, open};
use super::stored_event::{JournalLine, StoredEvent};
use crate::head::Head;
use mageyard_domain::{BlobStore, Digest};

/// A journal that is being read. The lines of a branch begin with those that it shares with its parent.
pub struct JournalReader {
    pub(super) lines: Lineage,
    pub(super) parser: LineParser,
    pub(super) heads: Heads,
}

/// The settings that an episode was started with.
pub(super) struct Heads {
    /// Those of the journal itself.
    own: Arc<Head>,
    /// Those of its oldest ancestor, with which its first steps were played.
    first: Arc<Head>,
    /// The version of the journal's own format.
    format: u32,
}

/// Parses lines. Later lines refer to earlier ones, so it must see all of them.
pub(super) struct LineParser {
    /// The files that the lines are from, that of the oldest ancestor first.
    paths: Vec<PathBuf>,
    /// The place after the last line that was parsed, the file that it is in, and the episode's own time at it, in
    /// milliseconds.
    position: Position,
    file: usize,
    at: u64,
    pieces: Pieces,
}

/// Where a branch can leave a journal: after the last line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkPoint {
    /// The journal that has this line: the one that was read, or one of its ancestors.
    pub journal: PathBuf,
    /// The lines of that journal before the branch, its head included.
    pub lines: u64,
    /// The offset in bytes of the line after them.
    pub offset: u64,
    /// The seal of the last of them.
    pub seal: Digest,
}

impl JournalReader {
    /// Opens a journal and reads its head, without taking its lock.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (mut lines, own) = Lineage::open(path, open(path)?)?;
        let mut parser = LineParser::new(lines.paths());
        let first = lines.next()?.map(|first| parser.parse(&first)).transpose()?;
        let OwnHead { format, head } = own;
        let own = Arc::new(head);
        let first = match first.map(|line| line.stored) {
            Some(StoredEvent::Head { head, .. }) if own.parent.is_some() => Arc::new(*head),
            _ => own.clone(),
        };
        Ok(Self { lines, parser, heads: Heads { own, first, format } })
    }

    /// The settings that the episode was started with; for a branch those that it was made with.
    pub fn head(&self) -> &Arc<Head> {
        &self.heads.own
    }

    /// The settings that the first step was played with: those of the oldest ancestor of a branch.
    pub fn first_head(&self) -> &Arc<Head> {
        &self.heads.first
    }

    /// The version of its format.
    pub fn format(&self) -> u32 {
        self.heads.format
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

    /// Like [`JournalReader::next_line`], but `None` also if the name of the next event fits. That line counts as not
    /// read, and the reader must not read on.
    pub(crate) fn next_line_unless(
        &mut self,
        fits: impl Fn(&str) -> bool,
    ) -> Result<Option<JournalLine>, JournalError> {
        match self.lines.next()? {
            Some(line) if line_event(line.text).is_some_and(|event| fits(&event)) => Ok(None),
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

    /// The offset in bytes after the last line of the file that was read; damage does not count.
    pub fn offset(&self) -> u64 {
        let is_own = self.parser.file + 1 == self.parser.paths.len();
        if is_own { self.parser.position.offset } else { 0 }
    }

    /// Where a branch leaves the journal after the last line that was read.
    pub fn fork_point(&self) -> ForkPoint {
        let Position { next: lines, seal, offset } = self.parser.position;
        ForkPoint { journal: self.parser.path().to_owned(), lines, offset, seal }
    }

    /// The folder of its episode, in which branches of it are.
    pub fn episode_folder(&self) -> &Path {
        episode_folder(self.path()).0
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

impl LineParser {
    fn new(paths: Vec<PathBuf>) -> Self {
        Self { paths, position: Position::start(), file: 0, at: 0, pieces: Pieces::default() }
    }

    /// The file of the last line.
    pub(super) fn path(&self) -> &Path {
        self.paths.get(self.file).map_or(Path::new(""), PathBuf::as_path)
    }

    /// Parses the next line.
    pub(super) fn parse(&mut self, sealed: &SealedLine<'_>) -> Result<JournalLine, JournalError> {
        let expected = sealed.end.next - 1;
        self.file = sealed.file;
        let line = parse_line(sealed.text, &mut self.pieces);
        let line = line.map_err(|error| self.damage(expected, format!("not an event: {error}")))?;
        if line.n != expected {
            let why = format!("the line is numbered {}, but {expected} is expected here", line.n);
            return Err(self.damage(expected, why));
        }
        let is_head = matches!(line.stored, StoredEvent::Head { .. });
        if is_head != (expected == 0) {
            return Err(self.damage(expected, HEAD_ONLY_FIRST.to_owned()));
        }
        self.position = sealed.end;
        // The head of a branch has no time of its own.
        self.at = if is_head { self.at } else { line.at };
        Ok(line)
    }

    fn damage(&self, line: u64, why: String) -> JournalError {
        damage(self.path(), line + 1, why)
    }
}
