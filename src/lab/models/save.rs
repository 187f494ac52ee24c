//! Saves the settings of a model as a profile in a settings file.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Lab, check_agent_settings};
use mageyard_config::{Config, Origin, Problem, edit_profile};
use mageyard_engine::AtomicFile;

/// A profile that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedProfile {
    /// The file.
    pub path: PathBuf,
    /// The line where the profile begins, from 1.
    pub line: usize,
    /// Whether one of the same name was replaced.
    pub is_replaced: bool,
    /// Its settings.
    pub settings: Vec<(String, Value)>,
}

/// Writes the settings of the model of `config` that are not at their defaults as the profile `name` into the settings file
/// at `path`. Everything else in the file stays as it is. Keys are not written: settings have only the names of variables.
///
/// # Errors
///
/// The settings are wrong or all at their defaults, there is such a profile and `overwrite` is false, the file is wrong, or it
/// cannot be written.
pub fn save_profile(
    lab: &Lab,
    config: &Config,
    path: &Path,
    name: &str,
    overwrite: bool,
) -> Result<SavedProfile, Problem> {
    // It refuses secrets: an address with a password, and headers with a key that is not in a variable.
    check_agent_settings(lab, config)?;
    let settings = settings_to_save(lab, config)?;
    if settings.is_empty() {
        let problem =
            Problem::new("all settings of the model are at their defaults, so there is nothing to save");
        return Err(problem.with_help("give some, such as --model NAME --base-url URL"));
    }
    // A link to a file elsewhere stays a link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let edit = edit_profile(&path, name, &settings, overwrite)?;
    write(&path, &edit.text)
        .map_err(|error| Problem::new(format!("cannot be written: {error}")).at(path.clone(), "", 0..0))?;
    Ok(SavedProfile { line: edit.line, is_replaced: edit.is_replaced, path, settings })
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    AtomicFile::stage(path, text.as_bytes())?.synced()?.replace().map(drop)
}

fn settings_to_save(lab: &Lab, config: &Config) -> Result<Vec<(String, Value)>, Problem> {
    let (_, own) = lab.asking_agent()?;
    let given = config.resolved_settings().iter().filter(|row| {
        row.table == own.table && !matches!(row.origin, Origin::Default | Origin::Environment(_))
    });
    let mut settings: Vec<(String, Value)> = given.map(|row| (row.key.clone(), row.value.clone())).collect();
    let profile = config.profile().map(|profile| profile.settings.as_slice()).unwrap_or_default();
    let prices = profile
        .iter()
        .filter(|row| mageyard_config::setting_summary(&format!("{}.{}", own.table, row.key)).is_empty());
    settings.extend(prices.map(|row| (row.key.clone(), row.value.clone())));
    Ok(settings)
}
