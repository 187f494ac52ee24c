//! Episodes that another cell of the folder has played already: those of a cell with fewer repeats, which has another name. A
//! new cell gets copies of them, so that only what is new is played.

use std::path::{Path, PathBuf};
use std::{fs, io};

use mageyard_engine::{Access, EpisodeSummary, Head, Store, StoreError, read_summary};
use mageyard_lab::Lab;

/// The folder with the pictures of a session.
const BLOBS: &str = "blobs";
/// The file in the folder of a copy that says which episode it is a copy of: cell and number.
const MARKER: &str = "copy-of";

/// An episode that was copied.
pub(super) struct Adopted {
    /// The journal of the copy.
    pub(super) journal: PathBuf,
    pub(super) summary: EpisodeSummary,
}

/// Whether the episode of this journal is a copy of one that is still in the folder of the sweep.
pub(crate) fn is_copy(sweep: &Path, journal: &Path) -> bool {
    let marker = journal.with_file_name(MARKER);
    fs::read_to_string(marker).is_ok_and(|original| sweep.join(original.trim()).is_dir())
}

/// Copies the finished episodes of cells that are not in the plan into this session, where it has none yet: those with the
/// same level, repeat, seed and settings. Returns the copies.
pub(super) fn adopt_episodes(
    lab: &Lab,
    store: &Store,
    session: &Path,
    heads: &[Head],
    is_planned: &dyn Fn(&str) -> bool,
) -> Result<Vec<Adopted>, StoreError> {
    let missing: Vec<(usize, &Head)> =
        (1..).zip(heads).filter(|(number, _)| !store.journal_path(session, *number).exists()).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let mut adopted = Vec::new();
    let own_name = session.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_other = |name: &String| words(name) == words(own_name) && !is_planned(name);
    for name in store.sessions()?.into_iter().filter(is_other) {
        let other = store.root().join(&name);
        let Some(played) = store.read_plan(&other).ok().flatten() else { continue };
        for (number, head) in (1..).zip(&played) {
            let journal = store.journal_path(&other, number);
            let own = missing.iter().find(|(own, wanted)| {
                is_same_episode(lab, wanted, head) && !store.journal_path(session, *own).exists()
            });
            let Some(((own, _), summary)) = own.zip(finished(&journal)) else { continue };
            let original = format!("{name}/{number:04}");
            copy_episode(&journal, session, *own, &original).map_err(|source| StoreError::Disk {
                path: journal,
                access: Access::Read,
                source,
            })?;
            adopted.push(Adopted { journal: store.journal_path(session, *own), summary });
        }
    }
    Ok(adopted)
}

/// The name of a cell without its digits. Cells that differ only in repeats have the same.
fn words(name: &str) -> &str {
    name.rsplit_once('-').map_or(name, |(words, _)| words)
}

/// The summary of an episode that is over and was not changed by a person.
fn finished(journal: &Path) -> Option<EpisodeSummary> {
    read_summary(journal).filter(|summary| summary.ending.is_some() && !summary.mixed)
}

/// Whether two heads are of one episode: they differ at most in the program, the time, and how the server is reached.
fn is_same_episode(lab: &Lab, one: &Head, other: &Head) -> bool {
    let cheap = one.seed == other.seed && one.repeat == other.repeat && one.level == other.level;
    cheap && essence(lab, one) == essence(lab, other)
}

fn essence(lab: &Lab, head: &Head) -> Head {
    let mut head = Head {
        program: String::new(),
        started: 0,
        reference: String::new(),
        number: 0,
        title: None,
        ..head.clone()
    };
    if let Some(own) = lab.agent(&head.agent.name).and_then(|row| row.settings) {
        let mut options = head.agent.options.clone();
        own.remove_transport(&mut options);
        options.retain(|name, _| !own.connection.contains(&name.as_str()));
        let asked = ["name", "system_role"].into_iter();
        options.extend(
            asked
                .filter_map(|name| head.agent.options.get_key_value(name))
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        head.agent.options = options;
    }
    head
}

/// Copies the episode of this journal to a number of a session: first beside it, and then with one renaming.
fn copy_episode(journal: &Path, session: &Path, number: usize, original: &str) -> io::Result<()> {
    let source = journal.parent().unwrap_or(journal);
    if let Some(blobs) = source.parent().map(|session| session.join(BLOBS)).filter(|blobs| blobs.is_dir()) {
        copy_missing(&blobs, &session.join(BLOBS))?;
    }
    // A store does not take a folder that begins with a dot for a session.
    let cell = session.file_name().unwrap_or_default().to_string_lossy();
    let staged = session.with_file_name(format!(".{cell}-{number:04}"));
    match fs::remove_dir_all(&staged) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    copy_folder(source, &staged)?;
    if !staged.join(MARKER).exists() {
        fs::write(staged.join(MARKER), format!("{original}\n"))?;
    }
    fs::rename(&staged, session.join(format!("{number:04}")))
}

fn copy_folder(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let copy = target.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&entry.path(), &copy)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), copy)?;
        }
    }
    Ok(())
}

/// Copies the files that the target does not have, each complete before it has its name.
fn copy_missing(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let copy = target.join(entry.file_name());
        if entry.file_type()?.is_file() && !copy.exists() {
            let part: PathBuf = target.join(format!(".{}.part", entry.file_name().to_string_lossy()));
            fs::copy(entry.path(), &part)?;
            fs::rename(part, copy)?;
        }
    }
    Ok(())
}
