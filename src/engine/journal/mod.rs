//! The journal: an episode on disk, one line per event, written before the event has an effect outside.
//!
//! Every line ends with a seal: a digest over the line and the seal before it. A last line without a line break is
//! *torn*: its event never took effect, and it is dropped. Any other line that does not match its seal is *damage*,
//! which is reported with its line number and never skipped.
//!
//! Reading decides by the fields of a line, writing by the format in the head: a resumed journal of version 1 stays
//! one. A line has the pieces that no line before it has, so a journal that is cut after any line is complete.

mod blobs;
mod branch_folder;
mod error;
mod guard;
mod line;
mod lineage;
mod outline;
mod pieces;
mod read_ahead;
mod reader;
mod reading;
mod seal;
mod sealed_lines;
mod sent_line;
mod stored_event;
mod stored_observation;
mod tagged;
mod tail;

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use tokio::time::Instant;

use self::blobs::store_images;
pub use self::blobs::{LoadBlobError, SessionBlobs, blob_path, load_blob};
pub use self::branch_folder::{branch_journal, branch_numbers, create_branch_folder, episode_folder};
pub use self::error::{Damage, JournalError, Torn};
pub use self::guard::WriteGuard;
use self::line::write_line;
pub use self::outline::{JournalOutline, OutlineStep, read_outline};
use self::pieces::WrittenPieces;
pub(super) use self::read_ahead::ReadAhead;
pub use self::reader::{ForkPoint, JournalReader};
pub use self::reading::{
    JournalCheck, JournalContents, check_journal, read_journal, read_journal_head, repair_journal,
};
#[cfg(test)]
pub(super) use self::seal::sealed_text;
pub(super) use self::seal::{seal_line, verify_seal};
use self::sealed_lines::Position;
pub use self::stored_event::{JournalLine, StoredEvent};
pub use self::stored_observation::StoredObservation;
pub use self::tail::{JournalTail, read_journal_tail};
use super::atomic_file::AtomicFile;
use super::event::Event;
use super::head::Head;
use super::side::SideEvent;
use mageyard_domain::{Digest, EnvironmentSpec};

/// The file name in an episode's folder.
pub(super) const JOURNAL_FILE: &str = "journal.jsonl";

/// How long to wait for another writer that is closing, and how often to look.
const LOCK_WAIT: Duration = Duration::from_millis(200);
const LOCK_INTERVAL: Duration = Duration::from_millis(10);

/// A journal open for writing. It holds the file's lock.
pub struct Journal {
    path: PathBuf,
    file: File,
    format: u32,
    next: u64,
    seal: Digest,
    length: u64,
    /// The lines that are not in the file yet, a buffer that is reused.
    held: Vec<u8>,
    written: WrittenPieces,
    blobs: SessionBlobs,
    /// Whether observations are stored, because no replay can make them again.
    stores_observations: bool,
    /// The environment that can judge the finished episode.
    spec: Option<&'static dyn EnvironmentSpec>,
    /// What must allow every write, if other processes could continue the episode.
    guard: Option<Arc<dyn WriteGuard>>,
}

impl Journal {
    /// Creates a journal in `folder`, which must not contain one. The head is written atomically with the file.
    pub fn create(folder: &Path, head: &Head) -> Result<Self, JournalError> {
        let path = folder.join(JOURNAL_FILE);
        let disk = |source| JournalError::Disk { path: path.clone(), source };
        let format = head.journal_format();
        let stored = StoredEvent::Head { format, head: Box::new(head.clone()) };
        let mut line = Vec::new();
        let mut written = WrittenPieces::default();
        write_line(&mut line, (0, 0), &stored, format, &mut written).map_err(|error| disk(error.into()))?;
        let seal = seal_line(&mut line, 0, Digest::of(b""));
        if path.exists() {
            return Err(disk(io::ErrorKind::AlreadyExists.into()));
        }
        let draft = AtomicFile::stage(&path, &line).map_err(disk)?;
        lock(draft.file(), &path)?;
        let file = draft.create_new().map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Busy { path: path.clone() },
            _ => disk(source),
        })?;
        let journal = Self::of_file(path.clone(), file, format, written);
        let length = line.len() as u64;
        line.clear();
        Ok(Self { next: 1, seal, length, held: line, ..journal })
    }

    /// Creates the journal of a branch in `folder`, which must not contain one. `shared` has read the lines that the
    /// branch shares with its parent, so that they are not written again.
    pub fn create_branch(folder: &Path, head: &Head, shared: JournalReader) -> Result<Self, JournalError> {
        let written = shared.into_end().1.written();
        Ok(Self { written, ..Self::create(folder, head)? })
    }

    /// Opens the journal of an unfinished episode to continue it, in the format that it has. A torn last line is
    /// removed.
    pub fn open(path: &Path) -> Result<(Self, JournalContents), JournalError> {
        let (lock, mut reader) = JournalLock::take(path)?;
        match JournalContents::rest_of(&mut reader) {
            (contents, None) => Ok((lock.resume(reader)?, contents)),
            (_, Some(error)) => Err(error),
        }
    }

    fn of_file(path: PathBuf, file: File, format: u32, written: WrittenPieces) -> Self {
        let blobs = SessionBlobs::of_journal(&path);
        let seal = Digest::of(b"");
        let held = Vec::new();
        let next = 0;
        let length = 0;
        Self {
            path,
            file,
            format,
            next,
            seal,
            length,
            held,
            written,
            blobs,
            stores_observations: false,
            spec: None,
            guard: None,
        }
    }

    /// The journal, with whole observations instead of their digests.
    #[must_use]
    pub fn storing_observations(self, stores_observations: bool) -> Self {
        Self { stores_observations, ..self }
    }

    /// The journal, with a summary of the episode beside it as soon as the episode is over.
    #[must_use]
    pub fn with_summary(self, spec: &'static dyn EnvironmentSpec) -> Self {
        Self { spec: Some(spec), ..self }
    }

    /// The journal, with a guard that must allow every write.
    #[must_use]
    pub fn guarded_by(self, guard: Option<Arc<dyn WriteGuard>>) -> Self {
        Self { guard, ..self }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The blobs of its session.
    pub fn blobs(&self) -> &SessionBlobs {
        &self.blobs
    }

    /// Writes one event at `at` milliseconds of episode time, its blobs first, together with the events that are held
    /// back. On error nothing of it remains but blobs; it can be tried again.
    pub fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        self.add_line(at, event, Self::flush)
    }

    /// Like [`Journal::append`], but holds the event back until the next one is appended or [`Journal::flush`] is called.
    pub fn hold(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        self.add_line(at, event, |_| Ok(()))
    }

    /// Adds a line to those that are held back. If this or what is done then fails, it is taken away again.
    fn add_line(
        &mut self,
        at: u64,
        event: &Event,
        then: impl FnOnce(&mut Self) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        let start = self.held.len();
        let next = self.next;
        let seal = self.seal;
        let added = self.write_line(at, event).and_then(|()| {
            self.seal = seal_line(&mut self.held, start, seal);
            self.next += 1;
            then(self)
        });
        if added.is_ok() {
            self.written.commit();
        } else {
            self.written.roll_back();
            self.held.truncate(start);
            (self.next, self.seal) = (next, seal);
        }
        added
    }

    fn write_line(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        if let Event::Sent(sent, _) | Event::Side(SideEvent::Sent(sent, _)) = event {
            store_images(&self.blobs, &sent.frames)?;
        }
        let shown = if self.stores_observations { self.stored_observation(event) } else { Ok(None) };
        let shown = shown.map_err(|error| self.disk_error(io::Error::other(error)))?;
        let stored = StoredEvent::of(event, shown);
        write_line(&mut self.held, (self.next, at), &stored, self.format, &mut self.written)
            .map_err(|error| self.disk_error(error.into()))
    }

    fn disk_error(&self, source: io::Error) -> JournalError {
        JournalError::Disk { path: self.path.clone(), source }
    }

    fn stored_observation(
        &mut self,
        event: &Event,
    ) -> Result<Option<StoredObservation>, mageyard_domain::BlobError> {
        let (seen, space, note) = match event {
            Event::Opened(opening, _) | Event::Looked(opening) | Event::StateSet(_, opening) => {
                (&opening.observation, &opening.space, None)
            }
            Event::Acted(_, outcome) => (&outcome.observation, &outcome.space, outcome.note.as_deref()),
            _ => return Ok(None),
        };
        StoredObservation::new(seen, space, note, &self.blobs, &mut self.written).map(Some)
    }

    /// Writes the events that are held back. On error they are still held back.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        if self.held.is_empty() {
            return Ok(());
        }
        check_guard(self.guard.as_deref(), &self.path)?;
        if let Err(source) = self.file.write_all_at(&self.held, self.length) {
            // The next attempt writes at the same offset, so a failed truncation does no harm.
            let _ = self.file.set_len(self.length);
            return Err(self.disk_error(source));
        }
        self.length += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }

    /// Flushes the file to disk, so that it survives a power failure.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| self.disk_error(source))
    }

    /// The number of lines, the head included, and the seal of the last one.
    pub(super) fn end(&self) -> (u64, Digest) {
        (self.next, self.seal)
    }

    /// The environment that can judge the finished episode, if a summary is wanted.
    pub(super) fn summary_spec(&self) -> Option<&'static dyn EnvironmentSpec> {
        self.spec
    }
}

/// Fails if this guard no longer allows this process to write the journal at this path.
pub fn check_guard(guard: Option<&dyn WriteGuard>, path: &Path) -> Result<(), JournalError> {
    let checked = guard.map_or(Ok(()), WriteGuard::check);
    checked.map_err(|reason| JournalError::NotOwner { path: path.to_owned(), reason })
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("path", &self.path).field("next", &self.next).finish_non_exhaustive()
    }
}

/// The lock of a journal that is read in order to continue it.
pub struct JournalLock {
    path: PathBuf,
    file: File,
}

impl JournalLock {
    /// Locks a journal, and reads its head.
    pub fn take(path: &Path) -> Result<(Self, JournalReader), JournalError> {
        let disk = |source| JournalError::Disk { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(disk)?;
        lock(&file, path)?;
        Ok((Self { path: path.to_owned(), file }, JournalReader::open(path)?))
    }

    /// Like [`JournalLock::take`], but waits a moment for another writer that is closing.
    pub async fn take_when_free(path: &Path) -> Result<(Self, JournalReader), JournalError> {
        let until = Instant::now() + LOCK_WAIT;
        loop {
            match Self::take(path) {
                Err(JournalError::Busy { .. }) if Instant::now() < until => {
                    tokio::time::sleep(LOCK_INTERVAL).await;
                }
                taken => return taken,
            }
        }
    }

    /// Continues the journal after its last complete line, to which `reader` has read it, in the format that it has. A
    /// torn line is removed.
    pub fn resume(self, reader: JournalReader) -> Result<Journal, JournalError> {
        let format = reader.format();
        let (Position { next, seal, offset: length }, pieces) = reader.into_end();
        let cut = self.file.set_len(length);
        cut.map_err(|source| JournalError::Disk { path: self.path.clone(), source })?;
        let journal = Journal::of_file(self.path, self.file, format, pieces.written());
        Ok(Journal { next, seal, length, ..journal })
    }
}

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => JournalError::Busy { path: path.to_owned() },
        TryLockError::Error(source) => JournalError::Disk { path: path.to_owned(), source },
    })
}
