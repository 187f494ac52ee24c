//! Reading a journal, and checking how much of it is intact.

use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::path::PathBuf;

use super::error::Damage;
use super::error::JournalError;
use super::error::Torn;
use super::seal::verify_seal;
use super::stored_event::JournalLine;
use super::stored_event::StoredEvent;
use crate::domain::Digest;
use crate::engine::atomic_file::AtomicFile;
use crate::engine::head::Head;
use crate::engine::head::JOURNAL_FORMAT;

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// The settings that the episode was started with.
    pub head: Head,
    /// The events, oldest first.
    pub lines: Vec<JournalLine>,
    /// The torn last line, if there is one.
    pub torn: Option<Torn>,
    pub(super) seal: Digest,
    pub(super) length: u64,
}

impl JournalContents {
    /// How often a person edited a reply or an action.
    pub fn edits(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.stored, StoredEvent::Edited { .. })).count()
    }
}

/// Reads a complete journal, without taking its lock.
pub fn read_journal(path: &Path) -> Result<JournalContents, JournalError> {
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    scan_result(path, scan(&bytes))
}

/// Reads only the head of a journal; damage after it is not noticed.
pub fn read_journal_head(path: &Path) -> Result<Head, JournalError> {
    let disk = |source| JournalError::Disk { path: path.to_owned(), source };
    let mut line = Vec::new();
    BufReader::new(File::open(path).map_err(disk)?).read_until(b'\n', &mut line).map_err(disk)?;
    scan_result(path, scan(&line)).map(|recorded| recorded.head)
}

fn scan_result(path: &Path, scan: Scan) -> Result<JournalContents, JournalError> {
    match (scan.error, scan.recorded) {
        (None, Some(recorded)) => Ok(recorded),
        (Some(ScanError::Newer(found)), _) => Err(JournalError::Newer { path: path.to_owned(), found }),
        (Some(ScanError::Damage(damage)), _) => Err(JournalError::Damaged { path: path.to_owned(), damage }),
        (None, None) => Err(JournalError::Damaged {
            path: path.to_owned(),
            damage: Damage { line: 1, why: "no complete line, so not even the head is known".into() },
        }),
    }
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
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    let Scan { recorded, error: refusal } = scan(&bytes);
    let damage = match refusal {
        Some(ScanError::Newer(found)) => return Err(JournalError::Newer { path: path.to_owned(), found }),
        Some(ScanError::Damage(damage)) => Some(damage),
        None => None,
    };
    let good = recorded.as_ref().map_or(0, |recorded| recorded.length);
    let rest = &bytes[usize::try_from(good).unwrap_or(bytes.len())..];
    let lost = rest.iter().filter(|&&byte| byte == b'\n').count();
    Ok(JournalCheck { recorded, damage, lost })
}

/// Writes the intact part of a damaged journal to a new file and returns its path; the damaged file stays unchanged.
pub fn repair_journal(path: &Path, good: &JournalContents) -> Result<PathBuf, JournalError> {
    let target = path.with_file_name("journal.repaired.jsonl");
    let disk = |source| JournalError::Disk { path: target.clone(), source };
    let bytes = std::fs::read(path).map_err(|source| JournalError::Disk { path: path.to_owned(), source })?;
    let length = usize::try_from(good.length).unwrap_or(bytes.len());
    AtomicFile::stage(&target, &bytes[..length])
        .and_then(AtomicFile::synced)
        .and_then(AtomicFile::create_new)
        .map_err(disk)?;
    Ok(target)
}

struct Scan {
    recorded: Option<JournalContents>,
    error: Option<ScanError>,
}

enum ScanError {
    Damage(Damage),
    Newer(u32),
}

/// Reads lines until one is damaged.
fn scan(bytes: &[u8]) -> Scan {
    let mut recorded: Option<JournalContents> = None;
    for (index, raw) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let Some(raw) = raw.strip_suffix(b"\n") else {
            if let Some(recorded) = &mut recorded {
                recorded.torn = Some(Torn { bytes: raw.len() });
            }
            break;
        };
        if let Err(refusal) = take_line(&mut recorded, index, raw) {
            return Scan { recorded, error: Some(refusal) };
        }
    }
    Scan { recorded, error: None }
}

fn take_line(recorded: &mut Option<JournalContents>, index: usize, raw: &[u8]) -> Result<(), ScanError> {
    let damage = |why: String| ScanError::Damage(Damage { line: index + 1, why });
    let before = recorded.as_ref().map_or_else(|| Digest::of(b""), |recorded| recorded.seal);
    if index == 0 {
        refuse_newer(raw)?;
    }
    let (body, seal) = verify_seal(raw, before).map_err(damage)?;
    let line: JournalLine =
        serde_json::from_str(&body).map_err(|error| damage(format!("not an event: {error}")))?;
    if line.n != index as u64 {
        return Err(damage(format!("the line is numbered {}, but {index} is expected here", line.n)));
    }
    let length = raw.len() as u64 + 1;
    match (recorded, line) {
        (Some(recorded), line) if index > 0 => {
            recorded.lines.push(line);
            recorded.seal = seal;
            recorded.length += length;
        }
        (slot @ None, JournalLine { stored: StoredEvent::Head { head, .. }, .. }) => {
            *slot = Some(JournalContents { head: *head, lines: Vec::new(), torn: None, seal, length });
        }
        _ => return Err(damage("the head must be the first line, and only that".into())),
    }
    Ok(())
}

/// Checks the version before anything else: a newer head may have another form and another seal.
fn refuse_newer(head: &[u8]) -> Result<(), ScanError> {
    let format = serde_json::from_slice::<serde_json::Value>(head)
        .ok()
        .and_then(|value| value.get("format")?.as_u64())
        .and_then(|format| u32::try_from(format).ok());
    match format {
        Some(found) if found > JOURNAL_FORMAT => Err(ScanError::Newer(found)),
        _ => Ok(()),
    }
}
