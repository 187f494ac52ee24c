//! The folder of a new session.

use std::path::{Path, PathBuf};

use super::{LabError, SelectedLevel, unix_time};
use mageyard_config::Config;
use mageyard_engine::Store;

/// Creates the folder of a new session, named after its level and agent.
pub fn create_session(
    store: &Store,
    selected: &[SelectedLevel],
    config: &Config,
) -> Result<PathBuf, LabError> {
    let environment = selected.first().map_or("", |selected| selected.spec.name());
    let reference = selected.first().map_or("", |selected| selected.reference.as_str());
    let reference = reference.strip_prefix(environment).unwrap_or(reference);
    // Of a path only the file name is used, of several levels only the name of the set.
    let place = if selected.len() > 1 {
        reference.rsplit_once(['/', '#']).map_or("", |pair| pair.0)
    } else {
        reference
    };
    let place = if Path::new(place).components().count() > 3 {
        Path::new(place).file_name().and_then(|name| name.to_str()).unwrap_or(place)
    } else {
        place
    };
    let agent = &config.settings().play.agent;
    let label = format!("{environment} {place} {agent}");
    Ok(store.create_session(unix_time(), &label)?)
}
