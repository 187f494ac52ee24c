//! Catalogs of named files of one kind: the shipped ones and the user's. A user file overrides a shipped one of the same
//! name. The contents of the files are not parsed here.

use std::path::{Path, PathBuf};

use super::problem::Problem;
use super::source_file::SourceFile;

/// Named files of one kind.
#[derive(Clone, Debug)]
pub struct Catalog {
    noun: &'static str,
    shipped_folder: String,
    shipped: Vec<(&'static str, &'static str)>,
    /// Earlier names of shipped files, each with its name now.
    earlier_names: &'static [(&'static str, &'static str)],
    user_folder: PathBuf,
    extensions: &'static [&'static str],
    limit: u64,
}

/// A file in a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its name: the file name without its extension.
    pub name: String,
    /// The user's file; `None` for a shipped one.
    pub path: Option<PathBuf>,
}

impl Catalog {
    /// A catalog of `noun`s, such as `theme`: the shipped ones as name and text, which lie in `home`
    /// of the program's sources, and the user's in `folder`, which need not exist. `extensions` without the dot, the usual one first; a file
    /// larger than 1 MiB is refused.
    pub fn new(
        noun: &'static str,
        home: impl Into<String>,
        shipped: impl IntoIterator<Item = (&'static str, &'static str)>,
        user_folder: PathBuf,
        extensions: &'static [&'static str],
    ) -> Self {
        let shipped = shipped.into_iter().collect();
        Self {
            noun,
            shipped_folder: home.into(),
            shipped,
            earlier_names: &[],
            user_folder,
            extensions,
            limit: super::source_file::SMALL_FILE_LIMIT,
        }
    }

    /// The catalog with this limit for the size of a file, in bytes.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The catalog with earlier names of shipped files, each with its name now. They are found, but not listed.
    #[must_use]
    pub fn earlier_names(self, earlier_names: &'static [(&'static str, &'static str)]) -> Self {
        Self { earlier_names, ..self }
    }

    /// The name now of a file that is given by an earlier one; other names, and those of the user's files, are unchanged.
    pub fn name_now<'a>(&self, name: &'a str) -> &'a str {
        let earlier = self.earlier_names.iter().find(|row| row.0 == name);
        let is_own = || self.user_entries().iter().any(|entry| entry.name == name);
        earlier.filter(|_| !is_own()).map_or(name, |row| row.1)
    }

    /// All files: the shipped ones in their order, then the user's other ones by name.
    pub fn entries(&self) -> Vec<CatalogEntry> {
        let mut own = self.user_entries();
        let mut entries: Vec<CatalogEntry> = Vec::new();
        for (name, _) in &self.shipped {
            let user_file = own.iter().position(|entry| entry.name == *name);
            let shipped = || CatalogEntry { name: (*name).to_owned(), path: None };
            entries.push(user_file.map_or_else(shipped, |at| own.remove(at)));
        }
        entries.extend(own);
        entries
    }

    /// The file of this name. For an unknown name, the problem suggests the nearest ones.
    pub fn find(&self, name: &str) -> Result<SourceFile, Problem> {
        let entries = self.entries();
        let name = self.name_now(name);
        let found = entries.iter().find(|entry| entry.name == name).map(|entry| self.read(entry));
        found.unwrap_or_else(|| {
            let problem = Problem::new(format!("there is no {} {name}", self.noun));
            Err(problem.with_suggestions(name, entries.iter().map(|entry| entry.name.as_str())))
        })
    }

    /// The text of an entry of this catalog.
    pub fn read(&self, entry: &CatalogEntry) -> Result<SourceFile, Problem> {
        if let Some(path) = &entry.path {
            return SourceFile::read(path, self.limit);
        }
        let shipped = self.shipped.iter().find(|(name, _)| *name == entry.name);
        let (name, text) =
            shipped.ok_or_else(|| Problem::new(format!("there is no {} {}", self.noun, entry.name)))?;
        let extension = self.extensions.first().unwrap_or(&"");
        Ok(SourceFile::shipped(&format!("{}/{name}.{extension}", self.shipped_folder), text))
    }

    /// The user's files. Names are compared with the list of the folder and never made into a path, so that no name can
    /// reach outside the folder.
    fn user_entries(&self) -> Vec<CatalogEntry> {
        let Ok(list) = std::fs::read_dir(&self.user_folder) else { return Vec::new() };
        let paths = list.filter_map(Result::ok).map(|item| item.path());
        let mut own: Vec<CatalogEntry> = paths.filter_map(|path| self.user_entry(path)).collect();
        own.sort_by(|a, b| a.name.cmp(&b.name).then(a.path.cmp(&b.path)));
        own.dedup_by(|a, b| a.name == b.name);
        own
    }

    fn user_entry(&self, path: PathBuf) -> Option<CatalogEntry> {
        let extension = path.extension()?.to_str()?;
        let name = path.file_stem()?.to_str()?.to_owned();
        let is_entry =
            self.extensions.contains(&extension) && is_regular_file(&path) && !name.starts_with('.');
        is_entry.then_some(CatalogEntry { name, path: Some(path) })
    }
}

/// Whether this is a regular file or a link to one. Reading a pipe would block.
fn is_regular_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: [(&str, &str); 2] = [("dark", "shipped dark"), ("light", "shipped light")];

    fn catalog() -> (tempfile::TempDir, Catalog) {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("themes");
        std::fs::create_dir(&folder).unwrap();
        (root, Catalog::new("theme", "themes", SHIPPED, folder, &["toml"]))
    }

    #[test]
    fn an_earlier_name_finds_the_shipped_file_unless_the_user_has_a_file_of_that_name() {
        let (_root, catalog) = catalog();
        let catalog = catalog.earlier_names(&[("night", "dark")]);
        assert_eq!(&*catalog.find("night").unwrap().text, "shipped dark");
        assert_eq!(catalog.entries().len(), 2, "it is not listed");
        std::fs::write(catalog.user_folder.join("night.toml"), "mine").unwrap();
        assert_eq!(&*catalog.find("night").unwrap().text, "mine");
    }

    #[test]
    fn user_files_override_shipped_files() {
        let (_root, catalog) = catalog();
        assert_eq!(&*catalog.find("light").unwrap().text, "shipped light");
        std::fs::write(catalog.user_folder.join("light.toml"), "mine").unwrap();
        std::fs::write(catalog.user_folder.join("acme.toml"), "more").unwrap();
        std::fs::write(catalog.user_folder.join("notes.txt"), "no theme").unwrap();
        assert_eq!(&*catalog.find("light").unwrap().text, "mine");
        let names: Vec<_> = catalog.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["dark", "light", "acme"]);
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest_name() {
        let (_root, catalog) = catalog();
        let problem = catalog.find("lihgt").unwrap_err();
        assert_eq!(problem.to_string(), "there is no theme lihgt; did you mean light?");
    }

    #[test]
    fn no_name_can_reach_outside_the_folder() {
        let (root, catalog) = catalog();
        std::fs::write(root.path().join("secret.toml"), "secret").unwrap();
        let absolute = root.path().join("secret").display().to_string();
        for name in ["../secret", "themes/../../secret", "", ".", "..", "a\0b", "./dark", &absolute] {
            assert!(catalog.find(name).is_err(), "{name:?}");
        }
    }
}
