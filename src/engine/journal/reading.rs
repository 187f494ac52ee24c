//! Reading a whole journal, and checking how much of it is intact.

use std::fs::File;
use std::io;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::blobs::SessionBlobs;
use super::error::{Damage, JournalError, Torn};
use super::reader::JournalReader;
use super::stored_event::{JournalLine, StoredEvent};
use crate::atomic_file::AtomicFile;
use crate::head::Head;
use mageyard_domain::BlobStore;

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// The settings that the episode was started with; for a branch those that it was made with.
    pub head: Head,
    /// The settings that the first step was played with: those of the oldest ancestor of a branch.
    pub first_head: Arc<Head>,
    /// The events, oldest first. A branch has those that it shares with its parent, its own head, and its own events.
    pub lines: Vec<JournalLine>,
    /// The torn last line, if there is one.
    pub torn: Option<Torn>,
    /// The file.
    pub(super) path: PathBuf,
    /// The length of the complete lines in bytes.
    pub(super) length: u64,
}

impl JournalContents {
    /// The events of the journal itself; those that a branch shares with its parent are left out.
    pub fn own_lines(&self) -> &[JournalLine] {
        let head = self.lines.iter().rposition(|line| matches!(line.stored, StoredEvent::Head { .. }));
        &self.lines[head.map_or(0, |head| head + 1)..]
    }

    /// How often a person edited a reply or an action.
    pub fn edits(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.stored, StoredEvent::Edited { .. })).count()
    }

    /// How often the agent that decides was changed.
    pub fn seats(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.stored, StoredEvent::Seated { .. })).count()
    }

    /// The blobs of its session.
    pub fn blobs(&self) -> Arc<dyn BlobStore> {
        Arc::new(SessionBlobs::of_journal(&self.path))
    }

    /// The lines that a reader has not read yet, up to damage if there is any.
    pub(super) fn rest_of(reader: &mut JournalReader) -> (Self, Option<JournalError>) {
        let mut lines = Vec::new();
        let error = loop {
            match reader.next_line() {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let torn = reader.torn().filter(|_| error.is_none());
        (
            Self {
                head: reader.head().as_ref().clone(),
                first_head: reader.first_head().clone(),
                lines,
                torn,
                path: reader.path().to_owned(),
                length: reader.offset(),
            },
            error,
        )
    }
}

/// Reads a complete journal, without taking its lock.
pub fn read_journal(path: &Path) -> Result<JournalContents, JournalError> {
    match JournalContents::rest_of(&mut JournalReader::open(path)?) {
        (contents, None) => Ok(contents),
        (_, Some(error)) => Err(error),
    }
}

/// Reads only the head of a journal; damage after it is not noticed.
pub fn read_journal_head(path: &Path) -> Result<Head, JournalError> {
    Ok(JournalReader::open(path)?.head().as_ref().clone())
}

/// The result of [`check_journal`].
#[derive(Debug)]
pub struct JournalCheck {
    /// The intact part; `None` if not even the head is intact.
    pub recorded: Option<JournalContents>,
    /// Where the intact part ends, if not at the end.
    pub damage: Option<Damage>,
    /// Complete lines after the damage, the damaged one included.
    pub lost: usize,
}

/// Reads a journal and reports how much of it is intact.
pub fn check_journal(path: &Path) -> Result<JournalCheck, JournalError> {
    let (recorded, error) = match JournalReader::open(path) {
        Ok(mut reader) => {
            let (contents, error) = JournalContents::rest_of(&mut reader);
            (Some(contents), error)
        }
        Err(error) => (None, Some(error)),
    };
    let damage = match error {
        Some(JournalError::Damaged { damage, .. }) => Some(damage),
        Some(error) => return Err(error),
        None => None,
    };
    let good = recorded.as_ref().map_or(0, |recorded| recorded.length);
    let lost =
        count_lines(path, good).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    // A file without a complete line is an unfinished start, not damage.
    let damage = damage.filter(|_| lost > 0 || recorded.is_some());
    Ok(JournalCheck { recorded, damage, lost })
}

/// The complete lines of a file from this offset on.
fn count_lines(path: &Path, offset: u64) -> io::Result<usize> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut buffer = vec![0; 1 << 16];
    let mut count = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(count),
            length => count += buffer[..length].iter().filter(|&&byte| byte == b'\n').count(),
        }
    }
}

/// Writes the intact part of a damaged journal to a new file and returns its path; the damaged file stays unchanged.
pub fn repair_journal(path: &Path, good: &JournalContents) -> Result<PathBuf, JournalError> {
    let target = path.with_file_name("journal.repaired.jsonl");
    let disk = |source| JournalError::Disk { path: target.clone(), source };
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    let length = usize::try_from(good.length).unwrap_or(bytes.len());
    AtomicFile::stage(&target, &bytes[..length.min(bytes.len())])
        .and_then(AtomicFile::synced)
        .and_then(AtomicFile::create_new)
        .map_err(disk)?;
    Ok(target)
}
