//! The effective settings of a run: typed, checked together, each with its origin.

use std::path::PathBuf;

use super::folders::Folders;
use super::origin::Origin;
use super::origin::ResolvedSetting;
use super::problem::Problem;
use super::schema::Schema;
use super::settings::Settings;
use crate::domain::Window;

/// The settings of a run, and where each comes from.
#[derive(Clone, Debug)]
pub struct Config {
    settings: Settings,
    window: Window,
    resolved: Vec<ResolvedSetting>,
    folders: Folders,
}

impl Config {
    /// Checks settings together, each of which is valid by itself.
    pub(super) fn resolve(
        known: &Schema,
        rows: Vec<ResolvedSetting>,
        folders: Folders,
    ) -> Result<Self, Problem> {
        let values = rows.iter().map(|row| row.value.clone());
        let settings = known.to_settings(values).map_err(|error| Problem::new(error.to_string()))?;
        let window = Window::new(settings.memory.am, settings.memory.om)
            .map_err(|error| problem_with_table(&rows, "memory", &error.to_string()))?;
        let config = Self { settings, window, resolved: rows, folders };
        if config.settings.store.folder.starts_with('~') {
            return Err(
                config.problem_with("store.folder", "store.folder: ~ is not expanded; write the full path")
            );
        }
        Ok(config)
    }

    /// The settings as types.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The memory window.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Every setting with its origin, in the order of the default file.
    pub fn resolved_settings(&self) -> &[ResolvedSetting] {
        &self.resolved
    }

    /// A problem with the value of this setting, at the location where it was written. For checks that only the caller
    /// can make, such as the name of a theme.
    pub fn problem_with(&self, name: &str, what: impl Into<String>) -> Problem {
        let what = what.into();
        let row = self.resolved.iter().find(|row| row.name() == name);
        row.map_or_else(|| Problem::new(what.clone()), |row| row.problem_with(&what))
    }

    /// The folders of the user files.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// The absolute path of the folder of the sessions.
    pub fn store_folder(&self) -> PathBuf {
        let folder = &self.settings.store.folder;
        let row = self.resolved.iter().find(|row| row.name() == "store.folder");
        match row.map(|row| &row.origin) {
            _ if folder.is_empty() => self.folders.data.join("sessions"),
            Some(Origin::File(place)) => {
                let file = self.folders.working.join(&place.file);
                file.parent().unwrap_or(&self.folders.working).join(folder)
            }
            _ => self.folders.working.join(folder),
        }
    }
}

/// A problem with several settings of a table, at the one from the strongest layer.
fn problem_with_table(rows: &[ResolvedSetting], table: &str, what: &str) -> Problem {
    let row = rows.iter().filter(|row| row.table == table).max_by_key(|row| row.rank);
    row.map_or_else(|| Problem::new(what), |row| row.problem_with(what))
}
