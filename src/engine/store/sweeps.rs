//! The sweeps of a store. The folder of a sweep is itself a store, and its sessions are the cells of the sweep.
//!
//! A sweep is named as a session is: `NAME` is all of its episodes, `NAME/CELL` a cell, `NAME/CELL/2` an episode of it. A cell
//! is named by its name, by the beginning of it, or by the digits at its end.

use std::path::{Path, PathBuf};

use super::{Store, StoreError, journals_in, subfolder_names, unreadable};

/// The folder of all sweeps in a store.
pub const SWEEPS_FOLDER: &str = "sweeps";
/// The folder of control files in that of a sweep.
const CONTROL_FOLDER: &str = ".sweep";
/// The number of digits at the end of the name of a cell.
const DIGITS: usize = 10;
/// The longest reference with the whole name of a cell, in bytes.
const LONGEST: usize = 80;

impl Store {
    /// The names of the sweeps, sorted.
    pub fn sweeps(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.root.join(SWEEPS_FOLDER);
        let mut names = subfolder_names(&folder).map_err(|source| unreadable(&folder, source))?;
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        Ok(names)
    }

    /// The store of the sweep that `given` names: its name in this store, unless a session is called so, or its folder. The
    /// name of a sweep is never read as a path.
    pub fn sweep(&self, given: &str) -> Option<Self> {
        let path = Path::new(given);
        let is_name = path.file_name().is_some_and(|name| name == given) && !given.starts_with('.');
        let named = self.root.join(SWEEPS_FOLDER).join(given);
        if is_name && named.is_dir() && !self.root.join(given).is_dir() {
            return Some(Self::new(named));
        }
        path.join(CONTROL_FOLDER).is_dir().then(|| Self::new(path))
    }

    /// The journals of all sessions of this store, without those of its sweeps; none if no episode was started.
    pub fn all_journals(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut found = Vec::new();
        for session in self.sessions()? {
            match self.journals(&session) {
                Err(StoreError::NoJournal { .. } | StoreError::NotASession { .. }) => {}
                journals => found.extend(journals?),
            }
        }
        Ok(found)
    }

    /// The journals of a sweep, or of a cell or episode of one; `None` if `given` names none of them.
    pub(super) fn find_in_sweep(&self, given: &str) -> Option<Result<Vec<PathBuf>, StoreError>> {
        if let Some(sweep) = self.sweep(given) {
            return Some(sweep.started_journals());
        }
        self.cell_folder(given).map(|folder| folder.and_then(journals_in))
    }

    fn started_journals(&self) -> Result<Vec<PathBuf>, StoreError> {
        match self.all_journals()? {
            none if none.is_empty() => Err(StoreError::NoJournal { folder: self.root.clone() }),
            journals => Ok(journals),
        }
    }

    /// The folder of a cell, or of an episode of it; `None` if `given` does not begin with the name of a sweep.
    pub(super) fn cell_folder(&self, given: &str) -> Option<Result<PathBuf, StoreError>> {
        let (name, rest) = given.split_once('/')?;
        let sweep = self.sweep(name).filter(|_| !rest.is_empty())?;
        let (cell, episode) = match rest.split_once('/') {
            Some((cell, episode)) => (cell, Some(episode.parse::<u32>().ok()?)),
            None => (rest, None),
        };
        let folder = sweep.full_cell_name(cell).map(|cell| sweep.root.join(cell));
        Some(
            folder.map(|folder| episode.map_or(folder.clone(), |number| folder.join(format!("{number:04}")))),
        )
    }

    /// The full name of the cell with this beginning, or with these digits at its end, in the store of its sweep.
    pub fn full_cell_name(&self, given: &str) -> Result<String, StoreError> {
        let end = format!("-{given}");
        let mut ended = self.sessions()?;
        ended.retain(|name| name.ends_with(&end));
        match (self.full_name(given), ended.as_slice()) {
            (Err(StoreError::NotFound { .. }), [name]) => Ok(name.clone()),
            (found, _) => found,
        }
    }

    /// `NAME/CELL/EPISODE` for a path below the folder of sweeps, with the digits of a cell whose name is long.
    pub(super) fn sweep_reference(&self, folder: &Path) -> Option<String> {
        let inner = folder.strip_prefix(self.root.join(SWEEPS_FOLDER)).ok()?.to_str()?;
        let [name, cell, episode] = inner.split('/').collect::<Vec<_>>().try_into().ok()?;
        let digits = cell
            .rsplit('-')
            .next()
            .filter(|last| last.len() == DIGITS && last.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let cell = digits.filter(|_| inner.len() > LONGEST).unwrap_or(cell);
        Some(format!("{name}/{cell}/{episode}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::JOURNAL_FILE;
    use super::*;

    const LONG: &str =
        "sokoban-mini-1-40-online-a-model-with-a-long-name-and-a-date-2026-11-26-HD-CoT-am10-om3-3f09ab12cd";

    #[test]
    fn a_sweep_its_cells_and_their_episodes_are_found_by_name() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        let journal = |cell: &str, number: u32| {
            root.path().join(format!("sweeps/s/{cell}/{number:04}")).join(JOURNAL_FILE)
        };
        let short = "hanoi-first-random-0123456789";
        let all = [journal(short, 1), journal(LONG, 1), journal(LONG, 2)];
        for journal in &all {
            std::fs::create_dir_all(journal.parent().unwrap()).unwrap();
            std::fs::write(journal, "").unwrap();
        }
        std::fs::create_dir_all(root.path().join("sweeps/s/.sweep")).unwrap();
        assert_eq!(store.sweeps().unwrap(), ["s"]);
        assert!(store.sessions().unwrap().is_empty(), "the folder of sweeps is no session");
        assert_eq!(store.find("s").unwrap(), all);
        assert_eq!(store.find(root.path().join("sweeps/s").to_str().unwrap()).unwrap(), all);
        for given in ["s/hanoi", "s/0123456789", "s/hanoi/1", &format!("s/{short}")] {
            assert_eq!(store.find(given).unwrap(), all[..1], "{given}");
        }
        assert_eq!(store.find("s/3f09ab12cd").unwrap(), all[1..]);
        assert_eq!(store.session_folder("s/soko/2").unwrap(), all[2].parent().unwrap());
        for (journal, reference) in
            [(&all[0], format!("s/{short}/0001")), (&all[2], "s/3f09ab12cd/0002".into())]
        {
            assert_eq!(store.reference(journal), reference);
            assert_eq!(store.find(&reference).unwrap(), std::slice::from_ref(journal));
        }
        let error = store.find("s/webui").unwrap_err().to_string();
        assert!(error.contains("there is no session \"webui\" in") && error.contains("sweeps/s"), "{error}");
        std::fs::create_dir_all(root.path().join("s/0001")).unwrap();
        std::fs::write(root.path().join("s/0001").join(JOURNAL_FILE), "").unwrap();
        assert_eq!(store.find("s").unwrap().len(), 1, "a session with the name comes first");
    }
}
