//! The folder of a sweep that a person names: a path, or the name of a sweep in the store.

use std::path::{Path, PathBuf};

use crate::claims::{CONTROL_FOLDER, check_cell_name};
use crate::sweep_folder;
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;

/// The folder of a sweep that was started.
pub fn existing_sweep(given: &str, config: &Config) -> Result<PathBuf, Problem> {
    let folder = sweep_or_path(given, config)?;
    if folder.join(CONTROL_FOLDER).is_dir() {
        return Ok(folder);
    }
    let problem = Problem::new(format!("{}: there is no sweep here", folder.display()));
    Err(problem.with_help("`mageyard sweep run` starts one; give its name or its folder"))
}

/// The folder of the sweep with this name in the store, otherwise the folder itself if it is a path.
pub fn sweep_or_path(given: &str, config: &Config) -> Result<PathBuf, Problem> {
    let path = Path::new(given);
    if let Some(sweep) = Store::new(config.store_folder()).sweep(given) {
        return Ok(sweep.root().to_owned());
    }
    if path.is_dir() || path.components().count() > 1 {
        return Ok(path.to_owned());
    }
    check_cell_name(given)
        .map_err(|_| Problem::new(format!("{given:?} is neither a folder nor the name of a sweep")))?;
    Ok(sweep_folder(&config.store_folder(), given))
}

/// Whether this is the folder or the name of a sweep that was started.
pub fn is_sweep(given: &str, config: &Config) -> bool {
    existing_sweep(given, config).is_ok()
}
