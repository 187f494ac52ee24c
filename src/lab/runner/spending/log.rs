//! What each process that shares a folder has spent: one file for each of them, to which it alone appends a line after
//! each step. A line has the totals of an episode, so a later one replaces the earlier ones, whichever process wrote it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::EpisodeSpent;

/// How much older the numbers of the other processes may be for each of them: they are read again at most this often.
const AGE: Duration = Duration::from_millis(50);

/// The end of the names of the files.
const EXTENSION: &str = ".jsonl";

/// What an episode has spent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpentLine {
    /// The name of its session and its number, such as `cell/1`.
    pub(super) episode: String,
    #[serde(flatten)]
    pub(super) spent: EpisodeSpent,
    /// Whether it is over for good.
    #[serde(default)]
    pub(super) over: bool,
}

/// The files of all processes.
#[derive(Debug)]
pub(super) struct SpendingLog {
    folder: PathBuf,
    /// The name of the file of this process.
    own: String,
    state: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    /// Up to where the file of each other process was read.
    read: BTreeMap<String, u64>,
    /// When they were read last.
    last: Option<Instant>,
    /// Whether the last line of this process may be incomplete.
    torn: bool,
}

impl SpendingLog {
    /// The files in this folder, which is created if necessary; `process` is a name that no other process has.
    pub(super) fn open(folder: PathBuf, process: &str) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, own: format!("{process}{EXTENSION}"), state: Mutex::default() })
    }

    /// Appends a line to the file of this process. It is closed each time, so that a network file system sends it.
    pub(super) fn append(&self, line: &SpentLine) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = serde_json::to_string(line)? + "\n";
        if state.torn {
            text.insert(0, '\n');
        }
        let mut file = OpenOptions::new().append(true).create(true).open(self.folder.join(&self.own))?;
        state.torn = true;
        file.write_all(text.as_bytes())?;
        state.torn = false;
        Ok(())
    }

    /// What the other processes have appended since the last call, unless that was just now.
    pub(super) fn read_new(&self) -> io::Result<Vec<SpentLine>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let age = AGE.saturating_mul(u32::try_from(state.read.len().max(1)).unwrap_or(u32::MAX));
        if state.last.is_some_and(|last| last.elapsed() < age) {
            return Ok(Vec::new());
        }
        let start = Instant::now();
        let mut lines = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != self.own && name.ends_with(EXTENSION) {
                let position = state.read.entry(name.clone()).or_default();
                self.read_file(&name, position, &mut lines)?;
            }
        }
        state.last = Some(start);
        Ok(lines)
    }

    /// Reads the complete lines of a file from a position on.
    fn read_file(&self, name: &str, position: &mut u64, lines: &mut Vec<SpentLine>) -> io::Result<()> {
        let mut file = File::open(self.folder.join(name))?;
        file.seek(SeekFrom::Start(*position))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let complete = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        *position += u64::try_from(complete).unwrap_or_default();
        for line in text[..complete].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(line) => lines.push(line),
                // A later line of the same episode has the numbers of this one too.
                Err(error) => {
                    tracing::warn!(%error, name, "a line of what another process has spent cannot be read");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::TokenTotals;

    fn line(episode: &str, requests: usize) -> SpentLine {
        let spent = TokenTotals { requests, ..TokenTotals::default() };
        let spent = EpisodeSpent { model: Some("m".to_owned()), totals: spent, models: Vec::new() };
        SpentLine { episode: episode.to_owned(), spent, over: requests > 8 }
    }

    #[test]
    fn each_process_reads_the_complete_lines_of_the_others_once() {
        let root = tempfile::tempdir().unwrap();
        let open = |name| SpendingLog::open(root.path().join("spending"), name).unwrap();
        let one = open("one");
        let two = open("two");
        let read = |log: &SpendingLog| {
            log.state.lock().unwrap().last = None;
            log.read_new().unwrap()
        };
        assert_eq!(read(&one), []);
        two.append(&line("a/1", 1)).unwrap();
        two.append(&line("a/1", 9)).unwrap();
        assert_eq!(read(&one), [line("a/1", 1), line("a/1", 9)]);
        two.append(&line("b/1", 2)).unwrap();
        assert_eq!(one.read_new().unwrap(), [], "it was read just now");
        assert_eq!((read(&one), read(&two)), (vec![line("b/1", 2)], vec![]));
        let path = root.path().join("spending/two.jsonl");
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(b"{\"episode\":").unwrap();
        assert_eq!(read(&one), [], "the line is not complete");
        two.state.lock().unwrap().torn = true;
        two.append(&line("c/1", 3)).unwrap();
        assert_eq!(read(&one), [line("c/1", 3)], "the incomplete line is left out");
    }
}
