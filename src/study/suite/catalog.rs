//! The suites by name: shipped ones and the user's own.

use std::path::Path;

use mageyard_config::{Catalog, Folders, Problem, SourceFile};

/// The suites that ship with the program, as name and text.
const SHIPPED: &[(&str, &str)] = &[("mistakes", include_str!("../../../suites/mistakes.toml"))];

/// The size limit of a suite file, in bytes.
const LIMIT: u64 = 4 << 20;

/// The suites: shipped ones and the user's own.
pub fn suite_catalog(folders: &Folders) -> Catalog {
    Catalog::new("suite", "suites", SHIPPED.iter().copied(), folders.suites(), &["toml"]).limit(LIMIT)
}

/// The file of a suite, given by path or by name.
pub fn suite_file(folders: &Folders, given: &str) -> Result<SourceFile, Problem> {
    let path = Path::new(given);
    if given.contains('/') || path.extension().is_some_and(|extension| extension == "toml") {
        return SourceFile::read(path, LIMIT);
    }
    suite_catalog(folders).find(given)
}
