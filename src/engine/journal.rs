//! The journal: an episode on disk, one line an event, written before the event counts.
//!
//! Every line ends in a seal, a digest over the line and the seal before it. A line that was cut off at
//! the end of the file is *torn*: it never counted, and is dropped. Anything else that does not fit its
//! seal is *damage*, and is reported with its line, never skipped.

use std::fs::File;
use std::fs::OpenOptions;
use std::fs::TryLockError;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use super::album;
use super::damage::Damage;
use super::damage::JournalError;
use super::damage::Torn;
use super::draft::Draft;
use super::event::Event;
use super::head::FORMAT;
use super::head::Head;
use super::stored::Line;
use super::stored::Stored;
use crate::domain::Digest;

/// The file's name in an episode's folder.
pub(super) const FILE: &str = "journal.jsonl";

/// What a journal holds.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What the episode was started with.
    pub head: Head,
    /// What happened since, oldest first.
    pub lines: Vec<Line>,
    /// The cut-off last line, if any.
    pub torn: Option<Torn>,
    seal: Digest,
    length: u64,
}

impl Recorded {
    /// How often a person edited a reply or an action.
    pub fn edits(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.stored, Stored::Edited { .. })).count()
    }
}

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
        let path = folder.join(FILE);
        let stored = Stored::Head { format: FORMAT, head: Box::new(head.clone()) };
        let mut line = Vec::new();
        let seal = seal_into(&mut line, &Line { n: 0, at: 0, stored }, Digest::of(b""));
        let disk = |source| JournalError::Disk { path: path.clone(), source };
        if path.exists() {
            return Err(disk(io::ErrorKind::AlreadyExists.into()));
        }
        let draft = Draft::of(&path, &line).map_err(disk)?;
        lock(draft.file(), &path)?;
        let file = draft.keep().map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Busy { path: path.clone() },
            _ => disk(source),
        })?;
        Ok(Self { file, next: 1, seal, length: line.len() as u64, path, line })
    }

    /// Opens the journal of an episode that was left, to go on with it. A torn last line is cut away.
    pub fn open(path: &Path) -> Result<(Self, Recorded), JournalError> {
        let disk = |source| JournalError::Disk { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(disk)?;
        lock(&file, path)?;
        let recorded = read(path)?;
        file.set_len(recorded.length).map_err(disk)?;
        let next = recorded.lines.last().map_or(1, |line| line.n + 1);
        let Recorded { seal, length, .. } = recorded;
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
            album::keep(&self.path, &sent.pictures)?;
        }
        let line = Line { n: self.next, at, stored: event.into() };
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
const LEAVING: Duration = Duration::from_millis(200);

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let until = Instant::now() + LEAVING;
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

/// Reads a journal whole, without taking its lock.
pub fn read(path: &Path) -> Result<Recorded, JournalError> {
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    unrefused(path, scan(&bytes))
}

/// Reads the head of a journal and nothing after it, where damage is not seen.
pub fn read_head(path: &Path) -> Result<Head, JournalError> {
    let disk = |source| JournalError::Disk { path: path.to_owned(), source };
    let mut line = Vec::new();
    BufReader::new(File::open(path).map_err(disk)?).read_until(b'\n', &mut line).map_err(disk)?;
    unrefused(path, scan(&line)).map(|recorded| recorded.head)
}

fn unrefused(path: &Path, scan: Scan) -> Result<Recorded, JournalError> {
    match (scan.refusal, scan.recorded) {
        (None, Some(recorded)) => Ok(recorded),
        (Some(Refusal::Newer(found)), _) => Err(JournalError::Newer { path: path.to_owned(), found }),
        (Some(Refusal::Damage(damage)), _) => Err(JournalError::Damaged { path: path.to_owned(), damage }),
        (None, None) => Err(JournalError::Damaged {
            path: path.to_owned(),
            damage: Damage { line: 1, why: "there is no whole line, so not even the head is known".into() },
        }),
    }
}

/// What [`check`] found out about a journal.
#[derive(Debug)]
pub struct Checked {
    /// The good part from the start; `None` when not even the head is whole.
    pub recorded: Option<Recorded>,
    /// Where the good part ends, if not at the end.
    pub damage: Option<Damage>,
    /// Whole lines that come after the damage, the damaged one included.
    pub lost: usize,
}

/// Reads a journal and says how far it is good.
pub fn check(path: &Path) -> Result<Checked, JournalError> {
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    let Scan { recorded, refusal } = scan(&bytes);
    let damage = match refusal {
        Some(Refusal::Newer(found)) => return Err(JournalError::Newer { path: path.to_owned(), found }),
        Some(Refusal::Damage(damage)) => Some(damage),
        None => None,
    };
    let good = recorded.as_ref().map_or(0, |recorded| recorded.length);
    let rest = &bytes[usize::try_from(good).unwrap_or(bytes.len())..];
    let lost = rest.iter().filter(|&&byte| byte == b'\n').count();
    Ok(Checked { recorded, damage, lost })
}

/// Writes the good part of a damaged journal to a new file and gives its path; the damaged one stays as it is.
pub fn repair(path: &Path, good: &Recorded) -> Result<PathBuf, JournalError> {
    let target = path.with_file_name("journal.repaired.jsonl");
    let disk = |source| JournalError::Disk { path: target.clone(), source };
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    let length = usize::try_from(good.length).unwrap_or(bytes.len());
    Draft::of(&target, &bytes[..length]).and_then(Draft::synced).and_then(Draft::keep).map_err(disk)?;
    Ok(target)
}

struct Scan {
    recorded: Option<Recorded>,
    refusal: Option<Refusal>,
}

enum Refusal {
    Damage(Damage),
    Newer(u32),
}

/// Goes through the lines until one does not fit.
fn scan(bytes: &[u8]) -> Scan {
    let mut recorded: Option<Recorded> = None;
    for (index, raw) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let Some(raw) = raw.strip_suffix(b"\n") else {
            if let Some(recorded) = &mut recorded {
                recorded.torn = Some(Torn { bytes: raw.len() });
            }
            break;
        };
        if let Err(refusal) = take(&mut recorded, index, raw) {
            return Scan { recorded, refusal: Some(refusal) };
        }
    }
    Scan { recorded, refusal: None }
}

fn take(recorded: &mut Option<Recorded>, index: usize, raw: &[u8]) -> Result<(), Refusal> {
    let damage = |why: String| Refusal::Damage(Damage { line: index + 1, why });
    let before = recorded.as_ref().map_or_else(|| Digest::of(b""), |recorded| recorded.seal);
    if index == 0 {
        refuse_newer(raw)?;
    }
    let (body, seal) = unsealed(raw, before).map_err(damage)?;
    let line: Line = serde_json::from_str(&body).map_err(|error| damage(format!("not an event: {error}")))?;
    if line.n != index as u64 {
        return Err(damage(format!("it calls itself event {}, but event {index} stands here", line.n)));
    }
    let length = raw.len() as u64 + 1;
    match (recorded, line) {
        (Some(recorded), line) if index > 0 => {
            recorded.lines.push(line);
            recorded.seal = seal;
            recorded.length += length;
        }
        (slot @ None, Line { stored: Stored::Head { head, .. }, .. }) => {
            *slot = Some(Recorded { head: *head, lines: Vec::new(), torn: None, seal, length });
        }
        _ => return Err(damage("the first line must be the head".into())),
    }
    Ok(())
}

/// The form of a newer head is unknown, and so is the rule of its seal: its version is read before
/// anything else of it.
fn refuse_newer(head: &[u8]) -> Result<(), Refusal> {
    let format = serde_json::from_slice::<serde_json::Value>(head)
        .ok()
        .and_then(|value| value.get("format")?.as_u64())
        .and_then(|format| u32::try_from(format).ok());
    match format {
        Some(found) if found > FORMAT => Err(Refusal::Newer(found)),
        _ => Ok(()),
    }
}

const SEAL: &str = ",\"seal\":\"";
const SEALED_TAIL: usize = SEAL.len() + 16 + 2;

/// Puts the line with its seal and line break in the place of `text`, and gives the seal.
fn seal_into(text: &mut Vec<u8>, line: &Line, before: Digest) -> Digest {
    text.clear();
    // A line is plain data with string keys, which always serialises, and memory takes what is written.
    let _ = serde_json::to_writer(&mut *text, line);
    let seal = seal(text, before);
    text.pop();
    let _ = writeln!(text, "{SEAL}{seal}\"}}");
    seal
}

/// The body of a sealed line and its seal, or why the seal does not fit.
fn unsealed(raw: &[u8], before: Digest) -> Result<(String, Digest), String> {
    let text = std::str::from_utf8(raw).map_err(|_| "it is not UTF-8".to_owned())?;
    let start = text.len().saturating_sub(SEALED_TAIL);
    let tail = text.get(start..).unwrap_or_default();
    let found = tail.strip_prefix(SEAL).and_then(|rest| rest.strip_suffix("\"}"));
    let found = found.ok_or_else(|| "it has no seal at its end".to_owned())?;
    let body = format!("{}}}", &text[..start]);
    let seal = seal(body.as_bytes(), before);
    if seal.to_string() != found {
        return Err("its seal does not fit: this line or one before it was changed".to_owned());
    }
    Ok((body, seal))
}

fn seal(body: &[u8], before: Digest) -> Digest {
    let mut hash = blake3::Hasher::new();
    // A hash takes what is written.
    let _ = write!(hash, "{before}");
    hash.update(body);
    Digest::from(&hash)
}

/// A line with this body as the first of a journal, for tests of what other versions write.
#[cfg(test)]
pub(super) fn sealed_text(body: &str) -> String {
    let seal = seal(body.as_bytes(), Digest::of(b""));
    format!("{}{SEAL}{seal}\"}}\n", &body[..body.len() - 1])
}
