//! Reading a journal: how far it is good, and what of it is not.

use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::path::PathBuf;

use super::seal::unsealed;
use crate::domain::Digest;
use crate::engine::damage::Damage;
use crate::engine::damage::JournalError;
use crate::engine::damage::Torn;
use crate::engine::draft::Draft;
use crate::engine::head::FORMAT;
use crate::engine::head::Head;
use crate::engine::stored::Line;
use crate::engine::stored::Stored;

/// What a journal holds.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What the episode was started with.
    pub head: Head,
    /// What happened since, oldest first.
    pub lines: Vec<Line>,
    /// The cut-off last line, if any.
    pub torn: Option<Torn>,
    pub(super) seal: Digest,
    pub(super) length: u64,
}

impl Recorded {
    /// How often a person edited a reply or an action.
    pub fn edits(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.stored, Stored::Edited { .. })).count()
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
