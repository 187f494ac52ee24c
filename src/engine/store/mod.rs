//! The session store: one folder per session, in it one folder per episode with a journal.

mod error;
mod name;
mod newest;
mod plan;
mod sweeps;
mod takeover;
mod trash;

use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

pub use self::error::{Access, StoreError};
use self::error::{unreadable, unwritable};
use self::name::{slug, timestamp};
use self::newest::NewestStart;
pub use self::sweeps::SWEEPS_FOLDER;
pub use self::trash::Deleted;
use super::branch::{branch_name, parse_branch_name};
use super::journal::{JOURNAL_FILE, branch_journal, branch_numbers, episode_folder};
use mageyard_domain::nearest_names;

/// A folder of sessions.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in this folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Creates the folder of a new session. Its name is the start time (UTC, to the millisecond) and a label of
    /// letters, digits and dashes. If another session has the same millisecond, the next free one is used, so that
    /// names sort by start time whatever the labels. The other sessions are not listed.
    pub fn create_session(&self, started: Duration, label: &str) -> Result<PathBuf, StoreError> {
        let failed = |source| unwritable(&self.root, source);
        std::fs::create_dir_all(&self.root).map_err(failed)?;
        let label = slug(label);
        let mut newest = NewestStart::lock(&self.root).map_err(failed)?;
        let first = newest.next(started);
        for late in 0.. {
            let start = first + Duration::from_millis(late);
            let folder = self.root.join(format!("{}-{label}", timestamp(start)));
            match std::fs::create_dir(&folder) {
                Ok(()) => {
                    newest.set(start).map_err(failed)?;
                    return Ok(folder);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(unwritable(&folder, source)),
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    /// The folder of the session with exactly this name, which must be safe as the name of a file. It is created if there
    /// is none.
    pub fn create_named_session(&self, name: &str) -> Result<PathBuf, StoreError> {
        let folder = self.root.join(name);
        std::fs::create_dir_all(&folder).map_err(|source| unwritable(&folder, source))?;
        Ok(folder)
    }

    /// Creates the folder of an episode, numbered from 1. It may exist as long as it contains no journal: a kill can
    /// come between the two.
    pub fn create_episode(&self, session: &Path, number: usize) -> Result<PathBuf, StoreError> {
        let folder = session.join(format!("{number:04}"));
        match std::fs::create_dir(&folder) {
            Err(error)
                if error.kind() == io::ErrorKind::AlreadyExists && !folder.join(JOURNAL_FILE).exists() => {}
            made => made.map_err(|source| unwritable(&folder, source))?,
        }
        Ok(folder)
    }

    /// The path of an episode's journal, whether it exists or not.
    pub fn journal_path(&self, session: &Path, number: usize) -> PathBuf {
        session.join(format!("{number:04}")).join(JOURNAL_FILE)
    }

    /// The number of the session's next episode.
    pub fn next_episode(&self, session: &Path) -> Result<usize, StoreError> {
        let numbers = journals(session)?.iter().filter_map(|journal| episode_number(journal)).max();
        Ok(numbers.unwrap_or(0) + 1)
    }

    /// The names of the newest sessions, at most this many, oldest first.
    pub fn newest_sessions(&self, count: usize) -> Result<Vec<String>, StoreError> {
        let mut names = self.sessions()?;
        Ok(names.split_off(names.len().saturating_sub(count)))
    }

    /// The names of all sessions, oldest first; renamed ones without a timestamp come first. Sweeps are not among them.
    pub fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let mut names = subfolder_names(&self.root).map_err(|source| unreadable(&self.root, source))?;
        names.retain(|name| !name.starts_with('.') && name != SWEEPS_FOLDER);
        let timed = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
        names.sort_unstable_by(|one, other| (timed(one), one).cmp(&(timed(other), other)));
        Ok(names)
    }

    /// The journals that `given` refers to, in episode order: `last` (the session that was begun last), a session's name or a prefix of it, any of these
    /// followed by a slash and an episode number, a session's folder, an episode's folder, or a journal; also the name or
    /// the folder of a sweep, and its name followed by a cell or by a cell and an episode number. `#b3` after it selects a
    /// branch of the episode.
    pub fn find(&self, given: &str) -> Result<Vec<PathBuf>, StoreError> {
        if Path::new(given).is_file() {
            return Ok(vec![PathBuf::from(given)]);
        }
        if let Some((episode, number)) = split_branch(given) {
            return Ok(vec![self.find_branch(episode, number)?]);
        }
        if let Some(found) = self.find_in_sweep(given) {
            return found;
        }
        journals_in(self.session_folder(given)?)
    }

    /// The journal of a branch of the episode that `given` refers to.
    fn find_branch(&self, given: &str, number: u32) -> Result<PathBuf, StoreError> {
        let journals = self.find(given)?;
        let [journal] = journals.as_slice() else {
            return Err(StoreError::SeveralEpisodes { given: given.to_owned(), count: journals.len() });
        };
        let (episode, _) = episode_folder(journal);
        let branch = branch_journal(episode, Some(number));
        if branch.is_file() {
            return Ok(branch);
        }
        let known = branch_numbers(episode).unwrap_or_default();
        Err(StoreError::NoBranch { given: given.to_owned(), number, count: known.len() })
    }

    /// The journals of the session with this full name, in episode order. Other sessions are not read.
    pub fn journals(&self, session: &str) -> Result<Vec<PathBuf>, StoreError> {
        journals_in(self.root.join(session))
    }

    /// The folder that `given` refers to: that of a sweep, or of a cell or episode of one, by name; an existing folder; or a
    /// session by name, prefix or `last`, or one of its episodes.
    pub fn session_folder(&self, given: &str) -> Result<PathBuf, StoreError> {
        let path = Path::new(given);
        if let Some(sweep) = self.sweep(given) {
            return Ok(sweep.root);
        }
        if let Some(folder) = self.cell_folder(given) {
            return folder;
        }
        if path.is_dir() {
            return Ok(path.to_owned());
        }
        if let Some((episode, number)) = split_branch(given) {
            let branch = self.find_branch(episode, number)?;
            return Ok(branch.parent().unwrap_or(&branch).to_owned());
        }
        match given
            .rsplit_once('/')
            .and_then(|(session, number)| Some((session, number.parse::<u32>().ok()?)))
        {
            Some((session, number)) => {
                Ok(self.root.join(self.full_name(session)?).join(format!("{number:04}")))
            }
            None => Ok(self.root.join(self.full_name(given)?)),
        }
    }

    /// A reference to this journal for [`Store::find`]: session and episode within the store, or sweep, cell and episode,
    /// otherwise the folder.
    pub fn reference(&self, journal: &Path) -> String {
        let (folder, branch) = episode_folder(journal);
        let own = || folder.strip_prefix(&self.root).unwrap_or(folder).display().to_string();
        let episode = self.sweep_reference(folder).unwrap_or_else(own);
        branch.map_or(episode.clone(), |number| format!("{episode}#{}", branch_name(number)))
    }

    /// The full name of the session with this prefix. The folder is listed only if no session has exactly this name.
    fn full_name(&self, given: &str) -> Result<String, StoreError> {
        let is_name = given != "last" && is_file_name(given) && !given.starts_with('.');
        if is_name && self.root.join(given).is_dir() {
            return Ok(given.to_owned());
        }
        let mut names = self.sessions()?;
        if given == "last" {
            let begun = self.begun_last(&names).or_else(|| names.pop());
            return begun.ok_or_else(|| self.not_found(given, &[]));
        }
        let begun: Vec<&String> = names.iter().filter(|name| name.starts_with(given)).collect();
        match begun.as_slice() {
            [] => {
                names.extend(self.sweeps().unwrap_or_default());
                Err(self.not_found(given, &names))
            }
            [name] => Ok((*name).clone()),
            several => Err(StoreError::Ambiguous { given: given.to_owned(), count: several.len() }),
        }
    }

    /// The session that was begun last, whatever the clock said then; `None` if it was removed or renamed.
    fn begun_last(&self, names: &[String]) -> Option<String> {
        let start = format!("{}-", timestamp(NewestStart::read_from(&self.root)?));
        names.iter().rfind(|name| name.starts_with(&start)).cloned()
    }

    fn not_found(&self, given: &str, names: &[String]) -> StoreError {
        let near = nearest_names(given, names.iter().map(String::as_str));
        let hint = match near.as_slice() {
            [] if names.is_empty() => {
                ", which is empty; `mageyard play` or `mageyard run` starts a session".to_owned()
            }
            [] => "; `last` is the newest, and `mageyard log list` lists all".to_owned(),
            near => format!("; the nearest are {}", near.join(", ")),
        };
        StoreError::NotFound { given: given.to_owned(), root: self.root.clone(), hint }
    }
}

/// The episode and the number of the branch of a reference such as `last#b3`. An existing path that contains a `#` is a
/// path.
fn split_branch(given: &str) -> Option<(&str, u32)> {
    let (episode, name) = given.rsplit_once('#')?;
    let number = parse_branch_name(name)?;
    (!Path::new(given).exists()).then_some((episode, number))
}

/// Whether this is the name of one file or folder, and no path.
fn is_file_name(given: &str) -> bool {
    let mut components = Path::new(given).components();
    matches!(components.next(), Some(Component::Normal(_)))
        && components.next().is_none()
        && !given.ends_with('/')
}

/// The journal of an episode's folder, or the journals of a session's folder; an error if there is none.
fn journals_in(folder: PathBuf) -> Result<Vec<PathBuf>, StoreError> {
    let own = folder.join(JOURNAL_FILE);
    if own.is_file() {
        return Ok(vec![own]);
    }
    match journals(&folder)? {
        none if none.is_empty() => Err(no_journal(folder)),
        journals => Ok(journals),
    }
}

/// Why a folder has no journals: it is a store, or it is empty.
fn no_journal(folder: PathBuf) -> StoreError {
    let begun = |session: &String| journals(&folder.join(session)).is_ok_and(|found| !found.is_empty());
    let sessions = Store::new(&folder).sessions().unwrap_or_default();
    let begun: Vec<String> = sessions.into_iter().filter(begun).collect();
    let count = begun.len();
    match begun.into_iter().next_back() {
        Some(newest) => StoreError::NotASession { folder, count, newest },
        None => StoreError::NoJournal { folder },
    }
}

/// The journals of a session in episode order.
fn journals(session: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut journals = Vec::new();
    for folder in subfolder_names(session).map_err(|source| unreadable(session, source))? {
        let journal = session.join(folder).join(JOURNAL_FILE);
        match journal.metadata() {
            Ok(found) if found.is_file() => journals.push(journal),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(unreadable(&journal, error));
            }
            _ => {}
        }
    }
    journals.sort_by_key(|journal| (episode_number(journal), journal.clone()));
    Ok(journals)
}

/// The number of the episode that a journal belongs to.
fn episode_number(journal: &Path) -> Option<usize> {
    journal.parent()?.file_name()?.to_str()?.parse().ok()
}

/// The names of the folders in a folder; none if it does not exist. Names that are not UTF-8 are left out.
fn subfolder_names(path: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        // Only a link needs another look at the disk.
        if (kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()))
            && let Ok(name) = entry.file_name().into_string()
        {
            found.push(name);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_names_sort_by_time_and_never_collide() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path().join("deep/sessions"));
        assert!(store.sessions().unwrap().is_empty());
        let error = store.find("last").unwrap_err().to_string();
        assert!(
            error.ends_with("which is empty; `mageyard play` or `mageyard run` starts a session"),
            "{error}"
        );
        let moment = Duration::from_millis(1_795_172_554_417);
        for label in ["sokoban/mini/7 oracle", "sokoban/mini/7 oracle", "hanoi"] {
            let begun = store.create_session(moment, label).unwrap();
            assert_eq!(store.session_folder("last").unwrap(), begun);
        }
        // A folder that was copied here is never used, and a small step back of the clock does not change the order.
        std::fs::create_dir(root.path().join("deep/sessions/20261120-110234-420-a")).unwrap();
        let begun = store.create_session(moment.saturating_sub(Duration::from_secs(9)), "a").unwrap();
        assert_eq!(store.session_folder("last").unwrap(), begun);
        store.create_session(Duration::ZERO, "../../etc").unwrap();
        std::fs::create_dir(root.path().join("deep/sessions/renamed")).unwrap();
        let expected = [
            "renamed",
            "19700101-000000-000-etc",
            "20261120-110234-417-sokoban-mini-7-oracle",
            "20261120-110234-418-sokoban-mini-7-oracle",
            "20261120-110234-419-hanoi",
            "20261120-110234-420-a",
            "20261120-110234-421-a",
        ];
        assert_eq!(store.sessions().unwrap(), expected);
        assert_eq!(store.newest_sessions(2).unwrap(), expected[5..]);
        assert_eq!(store.newest_sessions(20).unwrap(), expected);
    }

    #[test]
    fn the_last_session_is_the_one_begun_last_after_the_clock_was_set_back() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        let moment = Duration::from_millis(1_795_172_554_417);
        let first = store.create_session(moment, "a").unwrap();
        let second = store.create_session(moment.saturating_sub(Duration::from_hours(2)), "b").unwrap();
        assert!(second < first);
        assert_eq!(store.session_folder("last").unwrap(), second);
        let third = store.create_session(moment.saturating_sub(Duration::from_secs(7100)), "c").unwrap();
        assert_eq!(store.session_folder("last").unwrap(), third);
        // Removed or renamed, it is not the last one any more.
        std::fs::rename(&third, root.path().join("kept")).unwrap();
        assert_eq!(store.session_folder("last").unwrap(), first);
        std::fs::remove_file(root.path().join(".newest")).unwrap();
        assert_eq!(store.session_folder("last").unwrap(), first);
    }

    /// Their names have whole seconds, and a number where one was taken.
    #[test]
    fn old_session_names_are_found_beside_new_ones() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        let old = ["20261120-110234-sokoban-mini-7-oracle", "20261120-110234-sokoban-mini-7-oracle-2"];
        for name in old {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        assert_eq!(store.session_folder("last").unwrap(), root.path().join(old[1]));
        assert_eq!(store.session_folder(old[0]).unwrap(), root.path().join(old[0]));
        let new = store.create_session(Duration::from_secs(1_795_172_555), "a").unwrap();
        assert_eq!(store.session_folder("last").unwrap(), new);
        assert_eq!(store.session_folder("20261120-110235").unwrap(), new);
        assert!(matches!(
            store.session_folder("20261120-110234"),
            Err(StoreError::Ambiguous { count: 2, .. })
        ));
    }

    /// A store of many sessions is searched without listing it again for each of them.
    #[cfg(unix)]
    #[test]
    fn a_session_is_found_by_its_full_name_without_a_list_of_the_store() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        let session = store.create_session(Duration::ZERO, "one").unwrap();
        let name = session.file_name().unwrap().to_str().unwrap();
        let episode = store.create_episode(&session, 1).unwrap();
        std::fs::write(episode.join(JOURNAL_FILE), "").unwrap();
        // What is in this folder can be opened, and the folder cannot be listed.
        std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o311)).unwrap();
        let is_root = std::fs::read_dir(root.path()).is_ok();
        let found = (store.find(name), store.find(&format!("{name}/1")), store.find("1970"));
        std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(found.0.unwrap(), [episode.join(JOURNAL_FILE)]);
        assert_eq!(found.1.unwrap(), [episode.join(JOURNAL_FILE)]);
        assert_eq!(found.2.is_ok(), is_root, "a prefix needs the list");
        let beside = format!("../{}/{name}", root.path().file_name().unwrap().to_str().unwrap());
        assert!(store.find(&beside).is_err(), "a path is no name");
    }

    #[test]
    fn a_session_is_found_by_name_prefix_and_last() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        let first = store.create_session(Duration::ZERO, "one").unwrap();
        let second = store.create_session(Duration::from_secs(100_000_000), "two").unwrap();
        for session in [&first, &second, &second] {
            let episode = store.create_episode(session, store.next_episode(session).unwrap()).unwrap();
            std::fs::write(episode.join(JOURNAL_FILE), "").unwrap();
        }
        assert!(store.create_episode(&second, 2).is_err(), "an episode is never begun over another");
        let journals = [second.join("0001").join(JOURNAL_FILE), second.join("0002").join(JOURNAL_FILE)];
        assert_eq!(store.find("last").unwrap(), journals);
        assert_eq!(store.find("1973").unwrap(), journals);
        assert_eq!(store.journals("19730303-094640-000-two").unwrap(), journals);
        assert!(
            matches!(store.journals("1973"), Err(StoreError::NoJournal { .. })),
            "only by its whole name"
        );
        assert_eq!(store.find(journals[1].to_str().unwrap()).unwrap(), journals[1..]);
        assert_eq!(store.find("1970").unwrap(), [first.join("0001").join(JOURNAL_FILE)]);
        assert_eq!(store.reference(&journals[1]), "19730303-094640-000-two/0002");
        for two in ["19730303-094640-000-two/0002", "1973/2", "last/2"] {
            assert_eq!(store.find(two).unwrap(), journals[1..], "{two}");
        }
        let error = store.find("last/3").unwrap_err().to_string();
        assert!(error.contains("0003 contains no journal"), "{error}");
        assert!(store.find("lost/2").unwrap_err().to_string().contains("there is no session \"lost\""));
        let error = store.find(root.path().to_str().unwrap()).unwrap_err();
        assert!(
            matches!(&error, StoreError::NotASession { count: 2, newest, .. } if newest == "19730303-094640-000-two")
        );
        assert!(error.to_string().ends_with(" contains 2 sessions and is not a session itself"), "{error}");
        assert!(store.find("19").unwrap_err().to_string().contains("prefix of 2 session names"));
        assert!(store.find("19730303-094640-tow").unwrap_err().to_string().contains("the nearest are"));
    }
}
