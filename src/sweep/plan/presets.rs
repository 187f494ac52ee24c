//! The sweeps by name: shipped ones and the user's own.

use std::path::Path;

use super::reader;
use mageyard_config::{Catalog, Folders, Problem, SourceFile};

/// The sweeps that ship with the program, as name and text.
const SHIPPED: &[(&str, &str)] = &[
    ("paper", include_str!("../../../sweeps/paper.toml")),
    ("memory-ablation", include_str!("../../../sweeps/memory-ablation.toml")),
    ("error-table", include_str!("../../../sweeps/error-table.toml")),
    ("baselines", include_str!("../../../sweeps/baselines.toml")),
];

/// The size limit of a sweep file, in bytes.
const LIMIT: u64 = 1 << 20;

/// The sweeps: shipped ones and the user's own.
pub fn sweep_catalog(folders: &Folders) -> Catalog {
    Catalog::new("sweep", "sweeps", SHIPPED.iter().copied(), folders.sweeps(), &["toml"])
}

/// The file of a sweep, given by path or by name.
pub fn sweep_file(folders: &Folders, given: &str) -> Result<SourceFile, Problem> {
    let path = Path::new(given);
    let is_path = given.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    if is_path {
        return SourceFile::read(path, LIMIT);
    }
    sweep_catalog(folders).find(given).map_err(|problem| {
        if problem.location.is_some() || !path.exists() {
            problem
        } else {
            problem.with_help(format!("for the file write ./{given}"))
        }
    })
}

/// What a sweep is for, in a sentence, from its file; the file is checked by itself.
pub fn sweep_summary(sheet: &SourceFile) -> Result<String, Problem> {
    reader::parse(sheet).map(|file| file.about)
}
