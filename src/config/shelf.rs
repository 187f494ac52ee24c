//! A shelf: named files of one sort, those that ship with the program and the user's own beside
//! them. A user's file of the same name stands in front. What is in the files is not read here.

use std::path::Path;
use std::path::PathBuf;

use super::problem::Problem;
use super::sheet::Sheet;

/// Named files of one sort.
#[derive(Clone, Debug)]
pub struct Shelf {
    noun: &'static str,
    home: String,
    shipped: Vec<(&'static str, &'static str)>,
    folder: PathBuf,
    extensions: &'static [&'static str],
    limit: u64,
}

/// A file on a shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name: the file name without its extension.
    pub name: String,
    /// The user's file; `None` for one that ships with the program.
    pub path: Option<PathBuf>,
}

impl Shelf {
    /// A shelf of `noun`s, such as `theme`: the shipped ones as name and text, which lie in `home`
    /// of the program's sources, and the user's in `folder`, which need not exist. `extensions` without the dot, the usual one first; a file
    /// larger than 1 MiB is refused.
    pub fn new(
        noun: &'static str,
        home: impl Into<String>,
        shipped: impl IntoIterator<Item = (&'static str, &'static str)>,
        folder: PathBuf,
        extensions: &'static [&'static str],
    ) -> Self {
        let shipped = shipped.into_iter().collect();
        Self { noun, home: home.into(), shipped, folder, extensions, limit: super::sheet::SMALL }
    }

    /// The same, with files of up to so many bytes.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// What lies here: the shipped ones in their order, then the user's additions by name.
    pub fn entries(&self) -> Vec<Entry> {
        let mut own = self.own();
        let mut entries: Vec<Entry> = Vec::new();
        for (name, _) in &self.shipped {
            let stands_in_front = own.iter().position(|entry| entry.name == *name);
            let shipped = || Entry { name: (*name).to_owned(), path: None };
            entries.push(stands_in_front.map_or_else(shipped, |at| own.remove(at)));
        }
        entries.extend(own);
        entries
    }

    /// The file of this name; a name that does not exist is refused with the nearest ones.
    pub fn find(&self, name: &str) -> Result<Sheet, Problem> {
        let entries = self.entries();
        let found = entries.iter().find(|entry| entry.name == name).map(|entry| self.read(entry));
        found.unwrap_or_else(|| {
            let problem = Problem::new(format!("there is no {} {name}", self.noun));
            Err(problem.known(name, entries.iter().map(|entry| entry.name.as_str())))
        })
    }

    /// The text of an entry of this shelf.
    pub fn read(&self, entry: &Entry) -> Result<Sheet, Problem> {
        if let Some(path) = &entry.path {
            return Sheet::read(path, self.limit);
        }
        let shipped = self.shipped.iter().find(|(name, _)| *name == entry.name);
        let (name, text) =
            shipped.ok_or_else(|| Problem::new(format!("there is no {} {}", self.noun, entry.name)))?;
        let extension = self.extensions.first().unwrap_or(&"");
        Ok(Sheet::shipped(&format!("{}/{name}.{extension}", self.home), text))
    }

    /// The user's files. Names come from the folder's own list, never from a request, so that no
    /// request can lead out of the folder.
    fn own(&self) -> Vec<Entry> {
        let Ok(list) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = list.filter_map(Result::ok).map(|item| item.path());
        let mut own: Vec<Entry> = paths.filter_map(|path| self.entry(path)).collect();
        own.sort_by(|a, b| a.name.cmp(&b.name).then(a.path.cmp(&b.path)));
        own.dedup_by(|a, b| a.name == b.name);
        own
    }

    fn entry(&self, path: PathBuf) -> Option<Entry> {
        let extension = path.extension()?.to_str()?;
        let name = path.file_stem()?.to_str()?.to_owned();
        let belongs = self.extensions.contains(&extension) && is_file(&path) && !name.starts_with('.');
        belongs.then_some(Entry { name, path: Some(path) })
    }
}

/// A file or a link to one: a pipe in the folder would block whoever lists it.
fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: [(&str, &str); 2] = [("dark", "shipped dark"), ("light", "shipped light")];

    fn shelf() -> (tempfile::TempDir, Shelf) {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("themes");
        std::fs::create_dir(&folder).unwrap();
        (root, Shelf::new("theme", "themes", SHIPPED, folder, &["toml"]))
    }

    #[test]
    fn the_users_own_stand_in_front() {
        let (_root, shelf) = shelf();
        assert_eq!(&*shelf.find("light").unwrap().text, "shipped light");
        std::fs::write(shelf.folder.join("light.toml"), "mine").unwrap();
        std::fs::write(shelf.folder.join("acme.toml"), "more").unwrap();
        std::fs::write(shelf.folder.join("notes.txt"), "no theme").unwrap();
        assert_eq!(&*shelf.find("light").unwrap().text, "mine");
        let names: Vec<_> = shelf.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["dark", "light", "acme"]);
    }

    #[test]
    fn a_strange_name_is_answered_with_the_nearest() {
        let (_root, shelf) = shelf();
        let problem = shelf.find("lihgt").unwrap_err();
        assert_eq!(problem.to_string(), "there is no theme lihgt; did you mean light?");
    }

    #[test]
    fn no_name_leaves_the_folder() {
        let (root, shelf) = shelf();
        std::fs::write(root.path().join("secret.toml"), "secret").unwrap();
        let absolute = root.path().join("secret").display().to_string();
        for name in ["../secret", "themes/../../secret", "", ".", "..", "a\0b", "./dark", &absolute] {
            assert!(shelf.find(name).is_err(), "{name:?}");
        }
    }
}
