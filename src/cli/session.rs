//! A session's folder: how a new one is named, and how to come back to it.

use std::path::Path;
use std::path::PathBuf;

use super::episode_builder;
use super::exit::Failure;
use super::level_ref::SelectedLevel;
use crate::config::Config;
use crate::config::Origin;
use crate::domain::shell_quote;
use crate::engine::Store;

/// A new session's folder, named after what is played in it.
pub(super) fn create(store: &Store, chosen: &[SelectedLevel], config: &Config) -> Result<PathBuf, Failure> {
    let environment = chosen.first().map_or("", |chosen| chosen.spec.name());
    let reference = chosen.first().map_or("", |chosen| chosen.reference.as_str());
    let reference = reference.strip_prefix(environment).unwrap_or(reference);
    // Of a path only the file counts, of several levels only their set.
    let place = if chosen.len() > 1 {
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
    store.create_session(episode_builder::unix_time(), &label).map_err(Failure::running)
}

/// The flag that leads to the same store again, if one led to it now; what is set in files or
/// variables holds by itself.
pub(super) fn store_flag(config: &Config) -> String {
    let row = config.resolved_settings().iter().find(|row| row.name() == "store.folder");
    match row.map(|row| (&row.origin, row.value.as_str())) {
        Some((Origin::Flag(flag), Some(folder))) => format!(" {flag} {}", shell_quote(folder)),
        _ => String::new(),
    }
}
