//! Checkouts of `MageBench`: the folders that all environments share, and the lists of their levels. Files are named here
//! and never opened.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_domain::{CheckoutLayout, FileLocation, LevelFormatError, ListedLevel};

/// The largest number of entries of a list.
const MAX_ENTRIES: usize = 10_000;

/// The layout of an environment's levels in this folder.
pub const fn layout(
    level_folder: &'static str,
    sets: &'static [(&'static str, &'static str)],
    results_file: Option<&'static str>,
) -> CheckoutLayout {
    let name = "magebench";
    let program = "MageBench";
    let resources = "resources";
    CheckoutLayout { name, program, resources, level_folder, sets, results_file }
}

/// What the entries of a list are.
pub struct ListForm {
    /// The folder of the levels.
    pub folder: &'static str,
    /// What an entry of the list names.
    pub entry: Entry,
}

/// What a list names below its folder.
pub enum Entry {
    /// Files with this ending, with plain names of limited length.
    File {
        /// What the name of the file ends with.
        ending: &'static str,
        /// The largest length of the name, in bytes.
        longest: usize,
    },
    /// Folders whose names fulfil this.
    Folder(fn(&str) -> bool),
}

impl Entry {
    /// The level of an entry; `None` for anything but a plain name.
    fn listed(&self, path: &str) -> Option<ListedLevel> {
        let name = match self {
            Self::File { ending, longest } => {
                plain_name(path, ending).filter(|name| name.len() <= *longest)?
            }
            Self::Folder(is_name) => Some(path).filter(|name| is_name(name))?,
        };
        Some(ListedLevel { name: name.to_owned(), file: path.to_owned() })
    }

    /// How an entry ends, and what is refused.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Self::File { ending, .. } => (ending, "no other file is opened"),
            Self::Folder(_) => ("", "no other folder is read"),
        }
    }
}

impl ListForm {
    /// The levels in a list. Anything that could lead to another folder is refused.
    pub fn read(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        let paths: Vec<String> = serde_json::from_str(text).map_err(|error| json_error(&error))?;
        if paths.len() > MAX_ENTRIES {
            let reason = format!("{} entries; the maximum is {MAX_ENTRIES}", paths.len());
            return Err(LevelFormatError { location: FileLocation::Line(1), reason });
        }
        let listed = |(index, path): (usize, &String)| {
            self.entry.listed(self.below(path)).ok_or_else(|| self.refuse(index, path))
        };
        paths.iter().enumerate().map(listed).collect()
    }

    /// A path without the folder, which some lists leave out.
    fn below<'a>(&self, path: &'a str) -> &'a str {
        let path = path.strip_prefix("./").unwrap_or(path);
        path.strip_prefix(self.folder).and_then(|path| path.strip_prefix('/')).unwrap_or(path)
    }

    fn refuse(&self, index: usize, path: &str) -> LevelFormatError {
        let folder = self.folder;
        let (ending, refused) = self.entry.words();
        let reason = format!("{path:?} is not a path of the form {folder}/NAME{ending}; {refused}");
        LevelFormatError { location: FileLocation::Level(index + 1), reason }
    }
}

/// The name of a file without this ending, if it is plain: letters, digits, `-`, `_` and `.`, the first one a letter or a
/// digit.
fn plain_name<'a>(file: &'a str, ending: &str) -> Option<&'a str> {
    let name = file.strip_suffix(ending)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    (name.chars().all(is_plain) && begins).then_some(name)
}

/// A file of the checkout that is JSON of another form.
pub fn json_error(error: &serde_json::Error) -> LevelFormatError {
    LevelFormatError {
        location: FileLocation::Line(error.line().max(1)),
        reason: format!("has an unexpected form: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: ListForm = ListForm { folder: "Games", entry: Entry::File { ending: ".py", longest: 9 } };

    #[test]
    fn entries_have_their_folder_or_not() {
        let list = FORM.read(r#"["Games/A-1.py", "./Games/b.py", "./c_.py"]"#).unwrap();
        let names: Vec<_> = list.iter().map(|one| (one.name.as_str(), one.file.as_str())).collect();
        assert_eq!(names, [("A-1", "A-1.py"), ("b", "b.py"), ("c_", "c_.py")]);
    }

    #[test]
    fn paths_to_other_folders_are_refused() {
        for path in ["../x.py", "Games/../x.py", "/x.py", "Games/a/b.py", "a.txt", ".py", "", "abcdefghij.py"]
        {
            let error = FORM.read(&format!(r#"["a.py", "{path}"]"#)).unwrap_err().to_string();
            let says =
                format!("level 2: {path:?} is not a path of the form Games/NAME.py; no other file is opened");
            assert_eq!(error, says);
        }
    }

    #[test]
    fn other_json_is_refused_with_its_line() {
        let error = FORM.read("\n{}").unwrap_err().to_string();
        assert!(error.starts_with("line 2: has an unexpected form: "), "{error}");
        let many = format!("[{}\"a.py\"]", "\"a.py\",".repeat(MAX_ENTRIES));
        assert_eq!(FORM.read(&many).unwrap_err().to_string(), "line 1: 10001 entries; the maximum is 10000");
    }
}
