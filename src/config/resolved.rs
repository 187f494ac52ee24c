//! The effective settings of a run: typed, checked together, each with its origin.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::folders::Folders;
use super::origin::{Origin, ResolvedSetting};
use super::problem::Problem;
use super::profiles::{MODEL_NAME, ModelProfile, Profiles};
use super::schema::Schema;
use super::settings::Settings;
use mageyard_domain::Window;

/// The settings of a run, and where each comes from.
#[derive(Clone, Debug)]
pub struct Config {
    settings: Settings,
    window: Window,
    resolved: Vec<ResolvedSetting>,
    /// The settings before those of the profile of the model were applied, so that another model takes none of them.
    given: Vec<ResolvedSetting>,
    profiles: Arc<Profiles>,
    folders: Folders,
}

impl Config {
    /// Checks settings together, each of which is valid by itself.
    pub(super) fn resolve(
        known: &Schema,
        given: Vec<ResolvedSetting>,
        profiles: Arc<Profiles>,
        folders: Folders,
    ) -> Result<Self, Problem> {
        let mut rows = profiles.applied(known, &given);
        rows.iter_mut().try_for_each(|row| make_file_absolute(row, &folders))?;
        refuse_contradicting_extra(known, &rows)?;
        let values = rows.iter().map(|row| row.value.clone());
        let settings = known.to_settings(values).map_err(|error| Problem::new(error.to_string()))?;
        let window = Window::new(settings.memory.am, settings.memory.om)
            .map_err(|error| problem_with_table(&rows, "memory", &error.to_string()))?;
        let config = Self { settings, window, resolved: rows, given, profiles, folders };
        if config.settings.store.folder.starts_with('~') {
            return Err(
                config.problem_with("store.folder", "store.folder: ~ is not expanded; write the full path")
            );
        }
        Ok(config)
    }

    /// The settings for an environment: where a setting has its default, the default of the environment. `values` are
    /// names, and values as flags have them.
    pub fn with_environment_defaults(
        &self,
        environment: &'static str,
        values: &[(&str, &str)],
    ) -> Result<Self, Problem> {
        let known = Schema::load()?;
        let mut rows = self.given.clone();
        for (name, text) in values {
            let wrong = |what: &str| Problem::new(format!("the default of {environment} for {name}: {what}"));
            let index = known.index_of(name).ok_or_else(|| wrong("there is no such setting"))?;
            let value = flag_value(text, &known.settings()[index].default);
            known.value_error(index, &value).map_or(Ok(()), |what| Err(wrong(&what)))?;
            let row = rows.get_mut(index).filter(|row| {
                row.name() == *name && matches!(row.origin, Origin::Default | Origin::Environment(_))
            });
            if let Some(row) = row {
                (row.value, row.origin) = (value, Origin::Environment(environment));
            }
        }
        Self::resolve(known, rows, self.profiles.clone(), self.folders.clone())
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

    /// The settings without those of the profile.
    pub(super) fn given_settings(&self) -> &[ResolvedSetting] {
        &self.given
    }

    pub(super) fn shared_profiles(&self) -> Arc<Profiles> {
        self.profiles.clone()
    }

    /// The profiles of models in the settings files, by name.
    pub fn profiles(&self) -> &[ModelProfile] {
        self.profiles.all()
    }

    /// The profile that the `model.name` setting names, if it names one.
    pub fn profile(&self) -> Option<&ModelProfile> {
        self.profiles.chosen(&self.given)
    }

    /// These names of settings, and those of the profile if `model.name` is one of them: who gives a model by its profile gives
    /// all of its settings.
    pub fn with_profile_settings(&self, given: &[String]) -> Vec<String> {
        let names = given.iter().any(|name| name == MODEL_NAME);
        let profile = self.profile().filter(|_| names).map(ModelProfile::setting_names).unwrap_or_default();
        let further = profile.into_iter().filter(|name| !given.contains(name));
        given.iter().cloned().chain(further).collect()
    }

    /// The value of the setting with this name as it was given: a model that was named by a profile has the name of the
    /// profile.
    pub fn given_value(&self, name: &str) -> Option<&ResolvedSetting> {
        let rows = if name == MODEL_NAME { &self.given } else { &self.resolved };
        rows.iter().find(|row| row.name() == name)
    }

    /// Whether a file, a variable or a flag gives this setting another value.
    pub fn is_given_otherwise(&self, name: &str, value: impl Into<Value>) -> bool {
        self.given_row(name).is_some_and(|row| row.value != value.into())
    }

    /// Whether a file, a variable or a flag gives this setting.
    pub fn is_given(&self, name: &str) -> bool {
        self.given_row(name).is_some()
    }

    fn given_row(&self, name: &str) -> Option<&ResolvedSetting> {
        let row = self.resolved.iter().find(|row| row.name() == name);
        row.filter(|row| !matches!(row.origin, Origin::Default | Origin::Environment(_)))
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
        match row {
            Some(row) if !folder.is_empty() => base_folder(row, &self.folders).join(folder),
            _ => self.folders.data.join("sessions"),
        }
    }
}

/// The value of a text, as a flag has it: a text where the setting is one, otherwise a number, true or false.
fn flag_value(text: &str, present: &Value) -> Value {
    let parsed = serde_json::from_str(text).ok().filter(|_| !present.is_string());
    parsed.unwrap_or_else(|| Value::from(text))
}

/// The folder to which a path in a setting is relative.
fn base_folder(row: &ResolvedSetting, folders: &Folders) -> PathBuf {
    match &row.origin {
        Origin::File(place) => {
            let file = folders.working.join(&place.file);
            file.parent().unwrap_or(&folders.working).to_owned()
        }
        _ => folders.working.clone(),
    }
}

/// Settings with the path of a file. Sessions keep the whole path, so that they can be resumed from any folder.
const FILES: [&str; 4] = ["model.ca_file", "model.client_cert", "model.client_key", PROGRAM];

/// A setting that is a path, or a name to look up.
const PROGRAM: &str = "browser.program";

fn make_file_absolute(row: &mut ResolvedSetting, folders: &Folders) -> Result<(), Problem> {
    let path = row.value.as_str().unwrap_or_default();
    if path.is_empty() || !FILES.contains(&row.name().as_str()) {
        return Ok(());
    }
    if row.name() == PROGRAM && !path.contains('/') {
        return Ok(());
    }
    if path.starts_with('~') {
        return Err(row.problem_with(&format!("{}: ~ is not expanded; write the full path", row.name())));
    }
    row.value = base_folder(row, folders).join(path).to_string_lossy().into_owned().into();
    Ok(())
}

/// Refuses a setting that has no effect because `model.extra` sets or omits the field of the same name. A setting in a
/// weaker layer than `model.extra`, or one with the default value in a file, is simply overridden.
fn refuse_contradicting_extra(known: &Schema, rows: &[ResolvedSetting]) -> Result<(), Problem> {
    let Some(extra) = rows.iter().find(|row| row.name() == "model.extra") else { return Ok(()) };
    let fields = extra.value.as_str().and_then(|text| serde_json::from_str::<Map<String, Value>>(text).ok());
    let fields = fields.unwrap_or_default();
    let is_default = |row: &ResolvedSetting| {
        known.settings().iter().any(|setting| setting.name() == row.name() && setting.default == row.value)
    };
    let lost = rows.iter().find(|row| {
        row.table == "model"
            && row.layer() >= extra.layer().max(1)
            && fields.get(&row.key).is_some_and(|value| *value != row.value)
            && (matches!(row.origin, Origin::Flag(_) | Origin::Variable(_)) || !is_default(row))
    });
    lost.map_or(Ok(()), |row| {
        let omits = fields.get(&row.key).is_some_and(Value::is_null);
        let does = if omits { "omits" } else { "sets" };
        let what =
            format!("{} has no effect: model.extra ({}) {does} the same field", row.name(), extra.origin);
        Err(row
            .problem_with(&what)
            .with_help(format!("remove {} from model.extra, or this setting", row.key)))
    })
}

/// A problem with several settings of a table, at the one from the strongest layer.
fn problem_with_table(rows: &[ResolvedSetting], table: &str, what: &str) -> Problem {
    let row = rows.iter().filter(|row| row.table == table).max_by_key(|row| row.rank);
    row.map_or_else(|| Problem::new(what), |row| row.problem_with(what))
}
