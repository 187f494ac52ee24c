//! The lines of a journal, those of its ancestors first: a branch shares the lines before its first step with its parent,
//! and has only its own.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::branch_folder::{branch_journal, episode_folder};
use super::error::{JournalError, Torn};
use super::line::parse_line;
use super::pieces::Pieces;
use super::sealed_lines::{Position, SealedLine, SealedLines, damage, open};
use super::stored_event::StoredEvent;
use crate::head::Head;

/// Lines of one file or of several, one after the other.
pub(super) struct Lineage {
    /// The files, that of the oldest ancestor first. All but the last have an end.
    files: Vec<SealedLines>,
    current: usize,
}

/// What the first line of a journal says.
pub(super) struct OwnHead {
    pub(super) format: u32,
    pub(super) head: Head,
}

impl Lineage {
    /// Finds the ancestors of a journal. The next line is the head of the oldest one.
    pub(super) fn open(path: &Path, file: File) -> Result<(Self, OwnHead), JournalError> {
        let mut lines = SealedLines::new(path, file);
        let own = read_head(&mut lines)?;
        let mut files = vec![lines];
        let mut parent = own.head.parent.clone();
        while let Some(known) = parent {
            let journal = branch_journal(episode_folder(path).0, known.branch);
            if files.iter().any(|file| file.path() == journal) {
                let why = format!("it is a branch of itself, by way of {}", journal.display());
                return Err(damage(path, 1, why));
            }
            let mut lines = SealedLines::new(&journal, open(&journal)?);
            parent = read_head(&mut lines)?.head.parent;
            lines.end_at(Position { next: known.lines, seal: known.seal, offset: known.offset });
            files.push(lines);
        }
        files.reverse();
        Ok((Self { files, current: 0 }, own))
    }

    /// The next complete line; `None` at the end of the file as it is now. The next call looks again.
    pub(super) fn next(&mut self) -> Result<Option<SealedLine<'_>>, JournalError> {
        while self.files[self.current].is_at_end()? {
            self.current += 1;
        }
        let file = self.current;
        Ok(self.files[file].next()?.map(|line| SealedLine { file, ..line }))
    }

    /// The journal itself; the files before it are those of its ancestors.
    fn own(&self) -> &SealedLines {
        &self.files[self.files.len() - 1]
    }

    /// The paths of the files, that of the oldest ancestor first.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path().to_owned()).collect()
    }

    /// The path of the journal itself.
    pub(super) fn path(&self) -> &Path {
        self.own().path()
    }

    /// The incomplete line at the end, if there is one. Known after [`Lineage::next`] returned `None`.
    pub(super) fn torn(&self) -> Option<Torn> {
        self.own().torn()
    }

    /// The bytes that were not read yet.
    pub(super) fn unread_length(&self) -> Result<u64, JournalError> {
        self.files[self.current..].iter().map(SealedLines::unread_length).sum()
    }
}

/// Reads the first line of a file, and goes back to it.
pub(super) fn read_head(lines: &mut SealedLines) -> Result<OwnHead, JournalError> {
    let path = lines.path().to_owned();
    let damaged = |why: String| damage(&path, 1, why);
    let Some(first) = lines.next()? else {
        return Err(damaged("no complete line, so not even the head is known".to_owned()));
    };
    let line = parse_line(first.text, &mut Pieces::default())
        .map_err(|error| damaged(format!("not an event: {error}")))?;
    let StoredEvent::Head { format, head } = line.stored else {
        return Err(damaged(HEAD_ONLY_FIRST.to_owned()));
    };
    lines.rewind()?;
    Ok(OwnHead { format, head: *head })
}

pub(super) const HEAD_ONLY_FIRST: &str = "the head must be the first line, and only that";
