//! The folders of branches: each lies in the folder of its episode.

use std::io;
use std::path::{Path, PathBuf};

use super::JOURNAL_FILE;
use super::error::JournalError;
use crate::branch::{branch_name, parse_branch_name};

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
    fn a_folder_with_the_name_of_a_branch_is_one_only_inside_an_episode() {
        let root = tempfile::tempdir().unwrap();
        let episode = root.path().join("0001");
        let branch = root.path().join("0001/b2");
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
