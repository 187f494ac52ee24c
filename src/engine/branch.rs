//! Branches: episodes that begin at a step of another one. A branch is a journal with the lines after that step; those
//! before it stay in the journal of its parent.
//!
//! The folder of a branch lies in the folder of its episode: `b1`, `b2` and so on in the order in which they were made,
//! also if one leaves another. So a branch names its parent by a number, and never by a path.

use std::fmt;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use super::journal::JOURNAL_FILE;
use super::journal::JournalError;
use crate::domain::Digest;

/// Where a branch leaves its parent, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The branch that it leaves; `None` for the episode itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<u32>,
    /// The step that the branch begins with, from 1.
    pub step: u32,
    /// The lines of the parent's own journal that belong to the branch too, its head included.
    pub lines: u64,
    /// The offset in bytes of the parent's first line that does not.
    pub offset: u64,
    /// The seal of the last line that does.
    pub seal: Digest,
    /// How the environment reached that step when the branch was made.
    pub restored: Restored,
    /// What the branch was started with instead of the parent's settings at that step, by the name of the setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The hypothesis of the person who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How an environment reached the step that a branch begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// Its whole state is that of the step: a pure world, or a checkpoint that was saved at this step.
    Exact,
    /// Actions were carried out again, and every observation was equal to the recorded one.
    Replayed,
    /// A live surface was opened again and looked at; what cannot be seen may differ.
    Unsafe,
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "exact",
            Self::Replayed => "replayed",
            Self::Unsafe => "unsafe",
        })
    }
}

/// A setting that a branch was started with instead of the parent's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The name of the setting, such as `prompt`.
    pub name: String,
    /// The value at the step in the parent.
    pub from: String,
    /// The value in the branch.
    pub to: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.name, self.from, self.to)
    }
}

/// The name of the folder of the branch with this number.
pub fn branch_name(number: u32) -> String {
    format!("b{number}")
}

/// The number of the branch with this name, such as 3 for `b3`.
pub fn parse_branch_name(name: &str) -> Option<u32> {
    let number: u32 = name.strip_prefix('b')?.parse().ok()?;
    (number > 0 && branch_name(number) == name).then_some(number)
}

/// The folder of the episode of a journal, and the number of the branch if the journal is that of a branch.
pub fn episode_folder(journal: &Path) -> (&Path, Option<u32>) {
    let folder = journal.parent().unwrap_or(Path::new("."));
    let name = folder.file_name().and_then(|name| name.to_str());
    match (name.and_then(parse_branch_name), folder.parent()) {
        (Some(number), Some(episode)) if episode.join(JOURNAL_FILE).exists() => (episode, Some(number)),
        _ => (folder, None),
    }
}

/// The journal of a branch of the episode in this folder, or of the episode itself.
pub fn branch_journal(episode: &Path, branch: Option<u32>) -> PathBuf {
    match branch {
        Some(number) => episode.join(branch_name(number)).join(JOURNAL_FILE),
        None => episode.join(JOURNAL_FILE),
    }
}

/// Creates the folder of a new branch in the folder of its episode, and returns its number: the one after the highest.
pub fn create_branch_folder(episode: &Path) -> Result<u32, JournalError> {
    let newest = branch_numbers(episode)?.into_iter().max().unwrap_or(0);
    for number in newest + 1.. {
        let folder = episode.join(branch_name(number));
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(JournalError::Disk { path: folder, source }),
            Ok(()) => return Ok(number),
        }
    }
    Err(JournalError::Disk { path: episode.to_owned(), source: io::ErrorKind::AlreadyExists.into() })
}

/// The numbers of the branches in the folder of an episode, in order. One that was never finished being made counts.
pub fn branch_numbers(episode: &Path) -> Result<Vec<u32>, JournalError> {
    let disk = |source| JournalError::Disk { path: episode.to_owned(), source };
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(episode).map_err(disk)? {
        numbers.extend(entry.map_err(disk)?.file_name().to_str().and_then(parse_branch_name));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_of_branches_are_read_as_such() {
        for number in [1, 7, 1000] {
            assert_eq!(parse_branch_name(&branch_name(number)), Some(number));
        }
        for name in ["b0", "b01", "b", "1", "b-1", "b1x", "B1", "b+1", ""] {
            assert_eq!(parse_branch_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_folder_with_the_name_of_a_branch_is_one_only_inside_an_episode() {
        let root = tempfile::tempdir().unwrap();
        let (episode, branch) = (root.path().join("0001"), root.path().join("0001/b2"));
        std::fs::create_dir_all(&branch).unwrap();
        let journal = branch.join(JOURNAL_FILE);
        assert_eq!(episode_folder(&journal), (branch.as_path(), None), "a folder that a person named so");
        std::fs::write(episode.join(JOURNAL_FILE), "").unwrap();
        assert_eq!(episode_folder(&journal), (episode.as_path(), Some(2)));
        assert_eq!(branch_journal(&episode, Some(2)), journal);
        assert_eq!(branch_journal(&episode, None), episode.join(JOURNAL_FILE));
        assert_eq!(episode_folder(&episode.join(JOURNAL_FILE)), (episode.as_path(), None));
    }
}
