//! The versions of a prompt that were asked: the text of each, numbered from 1, in the folder of data. Their answers are stored
//! beside the recordings, as those of every ask; they are found again by the requests that a version makes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mageyard_config::{Folders, Problem, SourceFile};
use mageyard_engine::utc_minute;

use super::user_files;

/// The size limit of a version, in bytes; the same as of a prompt.
const LIMIT: u64 = 1 << 20;
/// The largest number of a version.
const LAST: u32 = 9999;

/// A version of a prompt that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptVersionText {
    /// Its number, from 1.
    pub number: u32,
    /// Its text, with the name of the prompt in its head.
    pub text: String,
    /// When it was first asked, such as `2026-11-29 07:12` in UTC; empty if the file system does not say it.
    pub when: String,
}

/// The versions of a prompt that were asked, the oldest first. Other files in the folder are left out.
pub fn prompt_versions(
    folders: &Folders,
    environment: &str,
    name: &str,
) -> Result<Vec<PromptVersionText>, Problem> {
    let folder = folder(folders, environment, name)?;
    let mut versions = Vec::new();
    for (number, path) in numbered(&folder)? {
        let text = SourceFile::read(&path, LIMIT)?.text.to_string();
        let modified = path.metadata().and_then(|found| found.modified()).ok();
        let time = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let when = time.map_or_else(String::new, |time| utc_minute(time.as_secs()));
        versions.push(PromptVersionText { number, text, when });
    }
    Ok(versions)
}

/// Keeps a text as the newest version, unless a version has the same text; the result is the number of the version.
pub fn keep_prompt_version(
    folders: &Folders,
    environment: &str,
    name: &str,
    text: &str,
) -> Result<u32, Problem> {
    let versions = prompt_versions(folders, environment, name)?;
    if let Some(same) = versions.iter().find(|version| version.text == text) {
        return Ok(same.number);
    }
    let folder = folder(folders, environment, name)?;
    let mut number = versions.last().map_or(1, |last| last.number + 1);
    loop {
        let path = folder.join(format!("{number:04}.md"));
        match user_files::write(&path, text, false) {
            // Another process has kept one meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < LAST => number += 1,
            Err(error) => return Err(unwritable(&path, &error)),
            Ok(()) => return Ok(number),
        }
    }
}

fn folder(folders: &Folders, environment: &str, name: &str) -> Result<PathBuf, Problem> {
    if user_files::is_valid_name(name) {
        return Ok(folders.prompt_data(environment).join(name));
    }
    Err(Problem::new(format!("{name:?} cannot be the name of a prompt file")))
}

/// The files `NNNN.md`, by number.
fn numbered(folder: &Path) -> Result<Vec<(u32, PathBuf)>, Problem> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| unreadable(folder, &error))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let is_text = path.extension().is_some_and(|extension| extension == "md") && path.is_file();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        found.extend(
            number.filter(|number| is_text && (1..=LAST).contains(number)).map(|number| (number, path)),
        );
    }
    found.sort();
    Ok(found)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("cannot be read: {error}")).at(path, "", 0..0)
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(format!("the version cannot be kept: {error}")).at(path, "", 0..0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once_and_versions_are_in_order() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let keep = |text: &str| keep_prompt_version(&folders, "sokoban", "HD-CoT", text);
        assert_eq!(prompt_versions(&folders, "sokoban", "HD-CoT").unwrap(), []);
        assert_eq!([keep("one"), keep("two"), keep("one"), keep("three")].map(Result::unwrap), [1, 2, 1, 3]);
        let folder = folders.prompt_data("sokoban").join("HD-CoT");
        fs::write(folder.join("notes.md"), "no version").unwrap();
        fs::write(folder.join("0012.md"), "by hand").unwrap();
        assert_eq!(keep("four").unwrap(), 13);
        let versions = prompt_versions(&folders, "sokoban", "HD-CoT").unwrap();
        let texts: Vec<_> = versions.iter().map(|one| (one.number, one.text.as_str())).collect();
        assert_eq!(texts, [(1, "one"), (2, "two"), (3, "three"), (12, "by hand"), (13, "four")]);
        assert!(versions.iter().all(|version| version.when.len() == 16 && version.when.starts_with("20")));
        assert!(keep_prompt_version(&folders, "sokoban", "../HD-CoT", "x").is_err());
        assert!(prompt_versions(&folders, "sokoban", "/etc").is_err());
    }
}
