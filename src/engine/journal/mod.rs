//! The journal: an episode on disk, one line an event, written before the event counts.
//!
//! Every line ends in a seal, a digest over the line and the seal before it. A line that was cut off at
//! the end of the file is *torn*: it never counted, and is dropped. Anything else that does not fit its
//! seal is *damage*, and is reported with its line, never skipped.

mod reading;
mod seal;

use std::fs::File;
use std::fs::OpenOptions;
use std::fs::TryLockError;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

pub use self::reading::JournalCheck;
pub use self::reading::JournalContents;
pub use self::reading::check_journal;
pub use self::reading::read_journal;
pub use self::reading::read_journal_head;
pub use self::reading::repair_journal;
use self::seal::seal_into;
#[cfg(test)]
pub(super) use self::seal::sealed_text;
use super::atomic_file::AtomicFile;
use super::blobs;
use super::event::Event;
use super::head::Head;
use super::head::JOURNAL_FORMAT;
use super::journal_error::JournalError;
use super::stored_event::JournalLine;
use super::stored_event::StoredEvent;
use crate::domain::Digest;

/// The file's name in an episode's folder.
pub(super) const JOURNAL_FILE: &str = "journal.jsonl";

/// A journal open for writing. It holds the file's lock.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    next: u64,
    seal: Digest,
    length: u64,
    /// The last line that was written; its memory serves the next.
    line: Vec<u8>,
}

impl Journal {
    /// Starts a journal at `folder`, which must not hold one. The head is on disk, whole, or there is
    /// no journal.
    pub fn create(folder: &Path, head: &Head) -> Result<Self, JournalError> {
        let path = folder.join(JOURNAL_FILE);
        let stored = StoredEvent::Head { format: JOURNAL_FORMAT, head: Box::new(head.clone()) };
        let mut line = Vec::new();
        let seal = seal_into(&mut line, &JournalLine { n: 0, at: 0, stored }, Digest::of(b""));
        let disk = |source| JournalError::Disk { path: path.clone(), source };
        if path.exists() {
            return Err(disk(io::ErrorKind::AlreadyExists.into()));
        }
        let draft = AtomicFile::stage(&path, &line).map_err(disk)?;
        lock(draft.file(), &path)?;
        let file = draft.create_new().map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Busy { path: path.clone() },
            _ => disk(source),
        })?;
        Ok(Self { file, next: 1, seal, length: line.len() as u64, path, line })
    }

    /// Opens the journal of an episode that was left, to go on with it. A torn last line is cut away.
    pub fn open(path: &Path) -> Result<(Self, JournalContents), JournalError> {
        let disk = |source| JournalError::Disk { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(disk)?;
        lock(&file, path)?;
        let recorded = read_journal(path)?;
        file.set_len(recorded.length).map_err(disk)?;
        let next = recorded.lines.last().map_or(1, |line| line.n + 1);
        let JournalContents { seal, length, .. } = recorded;
        let journal = Self { path: path.to_owned(), file, next, seal, length, line: Vec::new() };
        Ok((journal, recorded))
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one event. When it fails nothing of it is left, and it can be tried again.
    pub fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        if let Event::Sent(sent, _) = event {
            blobs::store_blobs(&self.path, &sent.frames)?;
        }
        let line = JournalLine { n: self.next, at, stored: event.into() };
        let seal = seal_into(&mut self.line, &line, self.seal);
        if let Err(source) = self.file.write_all_at(&self.line, self.length) {
            // The next attempt writes at the same place, so a tail that cannot be cut now does no harm.
            let _ = self.file.set_len(self.length);
            return Err(JournalError::Disk { path: self.path.clone(), source });
        }
        self.next += 1;
        self.seal = seal;
        self.length += self.line.len() as u64;
        Ok(())
    }

    /// Makes sure that what is written survives a loss of power.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| JournalError::Disk { path: self.path.clone(), source })
    }
}

/// How long a writer that is just leaving is waited for.
const LOCK_WAIT: Duration = Duration::from_millis(200);

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let until = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => {
                return Err(JournalError::Disk { path: path.to_owned(), source });
            }
        }
    }
}
