//! The end of a journal, read without the rest of the file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::error::JournalError;
use super::lineage::read_head;
use super::seal::found_seal;
use super::sealed_lines::{SealedLines, open};
use super::stored_event::StoredEvent;
use super::tagged::{LineTag, parse_event};
use mageyard_domain::Digest;

/// The last complete line of a journal. Its seal is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalTail {
    /// The number of the line, from 0 (the head).
    pub n: u64,
    /// Milliseconds of the episode's own time.
    pub at: u64,
    /// The name of its event.
    pub event: String,
    /// Whether this event ends every episode, or with a verdict to come is that. Limits that depend on earlier events are not
    /// known from it.
    pub is_final: bool,
    /// Its seal.
    pub seal: Digest,
    /// Whether an incomplete line follows.
    pub torn: bool,
}

/// The end of a journal; `None` if it has no complete line that can be read.
pub fn read_journal_tail(path: &Path) -> Result<Option<JournalTail>, JournalError> {
    let (line, torn) = last_line(path)?;
    let Ok(text) = std::str::from_utf8(&line) else { return Ok(None) };
    let parsed = LineTag::parse(text).ok().zip(found_seal(&line));
    Ok(parsed.map(|(tag, seal)| {
        let stored = parse_event::<StoredEvent>(&tag.event, text).ok();
        let is_final =
            stored.is_some_and(|stored| stored.is_last() || stored.is_final() && !awaits_verdict(path));
        JournalTail { n: tag.n, at: tag.at, event: tag.event.to_string(), is_final, seal, torn }
    }))
}

/// Whether the head of a journal says that the environment judges the episode.
fn awaits_verdict(path: &Path) -> bool {
    let head = open(path).and_then(|file| read_head(&mut SealedLines::new(path, file)));
    head.is_ok_and(|first| first.head.verdict_limit.is_some())
}

/// The bytes read first; the double of them next, and so on.
const CHUNK: u64 = 1 << 13;

/// The last complete line without its line break, and whether an incomplete one follows.
fn last_line(path: &Path) -> Result<(Vec<u8>, bool), JournalError> {
    let read = || -> io::Result<(Vec<u8>, bool)> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut size = CHUNK;
        loop {
            let start = length.saturating_sub(size);
            let mut tail = vec![0; usize::try_from(length - start).unwrap_or(usize::MAX)];
            file.read_exact_at(&mut tail, start)?;
            if let Some(found) = split_last_line(&tail, start == 0) {
                return Ok(found);
            }
            size = size.saturating_mul(2);
        }
    };
    read().map_err(|source| JournalError::Disk { path: path.to_owned(), source })
}

/// `None` if the tail begins after the last complete line does.
fn split_last_line(tail: &[u8], is_whole_file: bool) -> Option<(Vec<u8>, bool)> {
    let end = tail.iter().rposition(|&byte| byte == b'\n');
    let torn = end.map_or(!tail.is_empty(), |end| end + 1 < tail.len());
    let start = end.and_then(|end| tail[..end].iter().rposition(|&byte| byte == b'\n'));
    match (start, end) {
        (Some(start), Some(end)) => Some((tail[start + 1..end].to_vec(), torn)),
        (None, Some(end)) if is_whole_file => Some((tail[..end].to_vec(), torn)),
        (None, None) if is_whole_file => Some((Vec::new(), torn)),
        _ => None,
    }
}
