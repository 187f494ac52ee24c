//! The file of annotations: lines are added at its end, under a lock, and nothing in it is ever changed.

use std::fs::{File, OpenOptions};
use std::io;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::annotation::Annotation;
use super::error::AnnotationError;
use super::line::Entry;
use super::of_episode::{EpisodeAnnotations, StepOwners};
use super::of_session::SessionAnnotations;
use super::place::StepPlace;
use crate::journal::{branch_journal, episode_folder, read_journal_head};

/// The name of the file in the folder of a session.
const ANNOTATIONS_FILE: &str = "annotations.jsonl";

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The file of annotations for the episode of this journal: in the folder of its session, or beside a journal that is in
/// no session.
pub fn annotations_path(journal: &Path) -> PathBuf {
    let (folder, _) = episode_folder(journal);
    match (episode_number(folder), folder.parent()) {
        (Some(_), Some(session)) => session.join(ANNOTATIONS_FILE),
        _ => folder.join(ANNOTATIONS_FILE),
    }
}

/// The number of the episode in this folder of a session.
fn episode_number(folder: &Path) -> Option<u32> {
    folder.file_name()?.to_str()?.parse().ok()
}

/// Adds a tag or a comment to a step, or removes it; false if there was nothing to do. The step is not checked. A step
/// that a branch shares with its parent is annotated there. `at` is the time since 1970-01-01 UTC.
pub fn annotate_step(
    journal: &Path,
    step: u32,
    annotation: &Annotation,
    is_removed: bool,
    at: Duration,
) -> Result<bool, AnnotationError> {
    let path = annotations_path(journal);
    let place = StepPlace {
        episode: episode_number(episode_folder(journal).0),
        branch: owners(journal)?.of(step),
        step,
    };
    let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
    let entry = Entry { at, place, annotation: annotation.clone(), is_removed };
    let disk = |source| AnnotationError::Disk { path: path.clone(), source };
    let line = entry.to_line().map_err(|error| disk(error.into()))?;
    refuse_other_than_files(&path)?;
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(disk)?;
    // Without locks, as on some network file systems, a line is still one write.
    let _ = file.lock();
    let session = SessionAnnotations::of_lines(&path, &read_all(&path, &file)?);
    let has = session.steps.get(&place).is_some_and(|known| known.has(annotation));
    if has != is_removed {
        return Ok(false);
    }
    append(&mut file, &line).map_err(disk)?;
    Ok(true)
}

/// Adds a line in one write. An incomplete last line is ended first, so that it spoils no other.
fn append(file: &mut File, line: &str) -> io::Result<()> {
    let length = file.metadata()?.len();
    let mut last = [b'\n'];
    if length > 0 {
        file.read_exact_at(&mut last, length - 1)?;
    }
    let begin = if last == [b'\n'] { "" } else { "\n" };
    let written = file.write_all(format!("{begin}{line}").as_bytes()).and_then(|()| file.sync_data());
    if written.is_err() {
        file.set_len(length)?;
    }
    written
}

/// The annotations of the episode or the branch of this journal.
pub fn read_annotations(journal: &Path) -> Result<EpisodeAnnotations, AnnotationError> {
    let session = SessionAnnotations::read(&annotations_path(journal))?;
    let owners = owners(journal)?;
    Ok(EpisodeAnnotations::new(session, episode_number(episode_folder(journal).0), &owners))
}

impl SessionAnnotations {
    /// Reads a file of annotations; nothing if there is none.
    pub fn read(path: &Path) -> Result<Self, AnnotationError> {
        refuse_other_than_files(path)?;
        match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(AnnotationError::Disk { path: path.to_owned(), source }),
            Ok(file) => Ok(Self::of_lines(path, &read_all(path, &file)?)),
        }
    }
}

fn read_all(path: &Path, file: &File) -> Result<Vec<u8>, AnnotationError> {
    let mut bytes = Vec::new();
    let read = file.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|source| AnnotationError::Disk { path: path.to_owned(), source })?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_FILE {
        let why = format!("the file is larger than {} MiB", MAX_FILE >> 20);
        return Err(AnnotationError::Unreadable { path: path.to_owned(), why });
    }
    Ok(bytes)
}

/// A pipe or a device could block for ever.
fn refuse_other_than_files(path: &Path) -> Result<(), AnnotationError> {
    match path.metadata() {
        Ok(there) if !there.is_file() => {
            Err(AnnotationError::Unreadable { path: path.to_owned(), why: "this is not a file".to_owned() })
        }
        _ => Ok(()),
    }
}

/// Which branch has which steps of this journal.
fn owners(journal: &Path) -> Result<StepOwners, AnnotationError> {
    let (folder, mut branch) = episode_folder(journal);
    let mut owners = Vec::new();
    while let Some(number) = branch {
        let head = read_journal_head(&branch_journal(folder, branch))?;
        let Some(parent) = head.parent else { break };
        owners.push((Some(number), parent.step));
        branch = parent.branch;
    }
    owners.push((None, 1));
    Ok(StepOwners(owners))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of a session with an episode whose journal is empty, and the path of that journal.
    fn session() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let episode = root.path().join("0002");
        std::fs::create_dir(&episode).unwrap();
        let journal = branch_journal(&episode, None);
        std::fs::write(&journal, "").unwrap();
        (root, journal)
    }

    fn change(journal: &Path, step: u32, annotation: &Annotation, is_removed: bool) -> bool {
        annotate_step(journal, step, annotation, is_removed, Duration::from_millis(1_795_172_554_417))
            .unwrap()
    }

    #[test]
    fn what_is_added_is_read_and_what_is_removed_is_not() {
        let (root, journal) = session();
        let wall = Annotation::tag("wall").unwrap();
        let why = Annotation::comment("why?").unwrap();
        assert!(read_annotations(&journal).unwrap().steps.is_empty(), "no file is needed");
        assert!(change(&journal, 7, &wall, false) && change(&journal, 7, &why, false));
        assert!(!change(&journal, 7, &wall, false), "it is there");
        assert!(!change(&journal, 8, &wall, true), "it is not there");
        let read = read_annotations(&journal).unwrap();
        let step = read.step(7).unwrap();
        assert_eq!((step.tag_names().collect::<Vec<_>>(), read.counts()), (vec!["wall"], (1, 1)));
        assert_eq!(
            (step.comments[0].text.as_str(), step.comments[0].date().as_str()),
            ("why?", "2026-11-20 11:02")
        );
        assert!(change(&journal, 7, &wall, true) && change(&journal, 7, &why, true));
        let read = read_annotations(&journal).unwrap();
        assert!(read.steps.is_empty() && read.known_tags.is_empty() && read.damaged.is_empty());
        let lines = std::fs::read_to_string(root.path().join(ANNOTATIONS_FILE)).unwrap();
        assert_eq!(lines.lines().count(), 4, "a removal is a line too");
        assert_eq!(
            lines.lines().next().unwrap(),
            r#"{"format":1,"at":1795172554417,"episode":2,"step":7,"tag":"wall"}"#
        );
        assert_eq!(std::fs::read(&journal).unwrap(), b"", "the record stays as it was");
    }

    #[test]
    fn a_damaged_line_is_reported_with_its_place_and_spoils_no_other() {
        let (root, journal) = session();
        let path = root.path().join(ANNOTATIONS_FILE);
        change(&journal, 1, &Annotation::tag("a").unwrap(), false);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(b"\xff\x00 no JSON\n{\"format\":1,\"at\":1,\"st");
        std::fs::write(&path, &bytes).unwrap();
        // The incomplete line of a program that was killed is ended by the next one.
        change(&journal, 2, &Annotation::tag("b").unwrap(), false);
        let read = read_annotations(&journal).unwrap();
        assert_eq!(read.known_tags, ["a", "b"]);
        let places: Vec<usize> = read.damaged.iter().map(|line| line.line).collect();
        assert_eq!(places, [2, 3]);
        assert!(
            read.damaged[0].to_string().contains("annotations.jsonl:2: this line is skipped"),
            "{:?}",
            read.damaged
        );
        assert!(std::fs::read(&path).unwrap().starts_with(&bytes), "nothing in the file was changed");
    }

    #[test]
    fn many_writers_lose_no_line() {
        let (_root, journal) = session();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let journal = &journal;
                scope.spawn(move || {
                    for step in 1..=20 {
                        assert!(change(
                            journal,
                            step,
                            &Annotation::tag(&format!("t{writer}")).unwrap(),
                            false
                        ));
                    }
                });
            }
        });
        let read = read_annotations(&journal).unwrap();
        assert_eq!((read.counts(), read.damaged.len()), ((160, 0), 0));
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let (root, journal) = session();
        std::fs::create_dir(root.path().join(ANNOTATIONS_FILE)).unwrap();
        let error = read_annotations(&journal).unwrap_err().to_string();
        assert!(error.ends_with("annotations.jsonl: this is not a file"), "{error}");
        let alone = root.path().join("alone");
        std::fs::create_dir(&alone).unwrap();
        assert_eq!(annotations_path(&alone.join("journal.jsonl")), alone.join(ANNOTATIONS_FILE));
    }
}
