//! Session folders: their names, and the flag that selects their store.

use std::path::Path;
use std::path::PathBuf;

use super::context::unix_time;
use super::exit::Failure;
use super::level_ref::SelectedLevel;
use crate::config::Config;
use crate::config::Origin;
use crate::domain::shell_quote;
use crate::engine::Store;

/// Creates the folder of a new session, named after its level and agent.
pub(super) fn create(store: &Store, selected: &[SelectedLevel], config: &Config) -> Result<PathBuf, Failure> {
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
    store.create_session(unix_time(), &label).map_err(Failure::running)
}

/// The `--store` flag that selects the same store again, if one was given. Settings from files and variables
/// apply without it.
pub(super) fn store_flag(config: &Config) -> String {
    let row = config.resolved_settings().iter().find(|row| row.name() == "store.folder");
    match row.map(|row| (&row.origin, row.value.as_str())) {
        Some((Origin::Flag(flag), Some(folder))) => format!(" {flag} {}", shell_quote(folder)),
        _ => String::new(),
    }
}
