//! Import of level sets from a checkout of another program: a folder with lists, level files and published results.

use super::{Level, LevelFormatError};

/// The import of level sets from a checkout. Files are named here and never opened.
pub trait CheckoutImport: Send + Sync {
    /// The names of the program, its folders and its lists.
    fn layout(&self) -> &'static CheckoutLayout;

    /// Parses a list.
    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError>;

    /// Parses the published results, if the layout has a file of them.
    fn results(&self, text: &str) -> Option<Result<Box<dyn PublishedResults>, LevelFormatError>> {
        let _ = text;
        None
    }

    /// Reads a level file. An error is the reason why this level is left out. `None` if level files are read by the format
    /// with the name of the import, where an error ends it.
    fn read_level(&self, listed: &ListedLevel, bytes: &[u8]) -> Option<Result<Level, String>> {
        let _ = (listed, bytes);
        None
    }

    /// Reads a level that is a folder, from its files: names relative to the folder, with `/` between the parts, and
    /// contents. An error is the reason why this level is left out. Where levels are files, there is no answer.
    fn read_folder(&self, name: &str, files: Vec<(String, Vec<u8>)>) -> Option<Result<FolderLevel, String>> {
        let _ = (name, files);
        None
    }
}

/// Where the levels of a checkout are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckoutLayout {
    /// The name in `levels import NAME FOLDER`, which is also that of the format of its level files.
    pub name: &'static str,
    /// What the program is called.
    pub program: &'static str,
    /// The folder with the lists, relative to the checkout.
    pub resources: &'static str,
    /// The folder with the level files, in the folder with the lists.
    pub level_folder: &'static str,
    /// The sets: our name, and the file that lists its levels. The first list identifies a checkout.
    pub sets: &'static [(&'static str, &'static str)],
    /// The file with the published results, in the folder with the level files, if there is one.
    pub results_file: Option<&'static str>,
}

/// A level that was read from a folder.
#[derive(Clone, Debug)]
pub struct FolderLevel {
    /// The level.
    pub level: Level,
    /// Files that were left out, each with the reason.
    pub left_out: Vec<String>,
}

/// The published results of levels.
pub trait PublishedResults {
    /// The level with its name and its published result, and what is wrong with that result, if anything.
    fn annotate(&self, name: &str, level: &Level) -> (Level, Option<String>);
}

/// A level file in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedLevel {
    /// The level's name, under which its result is published.
    pub name: String,
    /// The file or folder in the folder of level files: a plain name.
    pub file: String,
}
