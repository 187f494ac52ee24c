//! Writes a window into the settings file of the project.

use mageyard_config::{Config, Origin, Problem, edit_project_setting};
use mageyard_engine::AtomicFile;
use serde_json::Value;

use super::window::KeptWindow;

/// Writes AM, OM and the keep rules into the settings file of the project; returns what was written, line by line, and what
/// overrides it. Rules that are empty are written only in place of others.
pub fn write_window(config: &Config, window: KeptWindow) -> Result<Vec<String>, Problem> {
    let mut lines = Vec::new();
    let keeps = !window.keep.is_empty() || !config.settings().memory.keep.is_empty();
    let settings = window.settings().into_iter().filter(|(name, _)| keeps || *name != "memory.keep");
    // Each is added above those before it.
    for (name, value) in settings.collect::<Vec<_>>().into_iter().rev() {
        let value = serde_json::to_value(value).map_err(|error| Problem::new(error.to_string()))?;
        lines.push(write_setting(config, name, &value)?);
        lines.extend(overriding(config, name));
    }
    Ok(lines)
}

fn write_setting(config: &Config, name: &str, value: &Value) -> Result<String, Problem> {
    let edit = edit_project_setting(config.folders(), name, value)?;
    let path = config.folders().project_file();
    let failed =
        |error: std::io::Error| Problem::new(format!("{} cannot be written: {error}", path.display()));
    let staged = AtomicFile::stage(&path, edit.text.as_bytes()).and_then(AtomicFile::synced);
    staged.map_err(failed)?.replace().map_err(failed)?;
    let before = edit.before.filter(|before| before.trim() != edit.after.trim());
    let before = before.map_or(String::new(), |before| format!(" (before: {})", before.trim()));
    Ok(format!("{}: {name} = {value}{before}", path.display()))
}

/// The variable or the flag that is stronger than the file.
fn overriding(config: &Config, name: &str) -> Option<String> {
    let row = config.resolved_settings().iter().find(|row| row.name() == name)?;
    let is_stronger = matches!(row.origin, Origin::Variable(_) | Origin::Flag(_));
    is_stronger.then(|| format!("{} overrides {name}", row.origin))
}
