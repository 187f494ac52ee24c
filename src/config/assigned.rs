//! Settings that are put over those of all layers, as a cell of a sweep does. Each has its own origin, so a mistake is
//! reported where it was written.

use std::sync::Arc;

use serde_json::Value;

use super::folders::Folders;
use super::origin::{Origin, ResolvedSetting};
use super::overrides::SettingOverride;
use super::problem::Problem;
use super::resolved::Config;
use super::schema::Schema;

/// A setting with a value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct AssignedSetting {
    /// The full name, such as `memory.am`.
    pub name: String,
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub origin: Origin,
}

/// The type of the values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// Text, also one of several words.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Switch,
    /// A table of texts.
    Table,
}

/// The type of the setting with this name. For an unknown name, the problem at this origin suggests the nearest ones.
pub fn setting_kind(name: &str, origin: &Origin) -> Result<SettingKind, Problem> {
    let known = Schema::load()?;
    let index = known.index_of(name).ok_or_else(|| known.unknown_name(name, origin))?;
    Ok(kind_of(&known.settings()[index].default))
}

/// Whether settings have a table of this name.
pub fn is_settings_table(name: &str) -> Result<bool, Problem> {
    Ok(Schema::load()?.settings().iter().any(|setting| setting.table == name))
}

fn kind_of(default: &Value) -> SettingKind {
    match default {
        Value::Number(number) if number.is_f64() => SettingKind::Number,
        Value::Number(_) => SettingKind::Integer,
        Value::Bool(_) => SettingKind::Switch,
        Value::Object(_) => SettingKind::Table,
        _ => SettingKind::Text,
    }
}

impl AssignedSetting {
    /// Checks the name and the value, with all other settings at their defaults. A whole number becomes the number
    /// that the setting has.
    pub fn checked(self) -> Result<Self, Problem> {
        let known = Schema::load()?;
        let unknown = || known.unknown_name(&self.name, &self.origin);
        let index = known.index_of(&self.name).ok_or_else(unknown)?;
        if let Some(what) = known.value_error(index, &self.value) {
            return Err(self.origin.problem(&what));
        }
        let is_number = kind_of(&known.settings()[index].default) == SettingKind::Number;
        let value = self.value.as_f64().filter(|_| is_number).map_or(self.value, Value::from);
        Ok(Self { value, ..self })
    }
}

impl Config {
    /// The shipped settings, without any file, variable or flag.
    pub fn shipped(folders: Folders) -> Result<Self, Problem> {
        let known = Schema::load()?;
        let rows = known.default_settings();
        Self::resolve(known, rows, Arc::default(), folders)
    }

    /// The settings with these in place of those of any layer. All settings are checked together.
    pub fn with_assigned<'a>(
        &self,
        given: impl IntoIterator<Item = &'a AssignedSetting>,
    ) -> Result<Self, Problem> {
        let known = Schema::load()?;
        let mut rows = self.given_settings().to_vec();
        let rank = 1 + rows.iter().map(|row| row.rank).max().unwrap_or(0);
        for AssignedSetting { name, value, origin } in given {
            let index = known.index_of(name).ok_or_else(|| known.unknown_name(name, origin))?;
            let value = value.clone();
            let origin = origin.clone();
            rows[index] = ResolvedSetting { value, origin, rank, ..rows[index].clone() };
        }
        Self::resolve(known, rows, self.shared_profiles(), self.folders().clone())
    }

    /// The settings with these, as flags have them, in place of those of any layer.
    pub fn with_overrides(&self, given: &[SettingOverride]) -> Result<Self, Problem> {
        let known = Schema::load()?;
        let mut rows = self.given_settings().to_vec();
        let rank = 1 + rows.iter().map(|row| row.rank).max().unwrap_or(0);
        given.iter().try_for_each(|given| given.apply(known, &mut rows, rank))?;
        Self::resolve(known, rows, self.shared_profiles(), self.folders().clone())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{SourceFile, SourceLocation};

    fn assigned(name: &str, value: impl Into<Value>) -> AssignedSetting {
        let origin = Origin::Flag("--set".to_owned());
        AssignedSetting { name: name.to_owned(), value: value.into(), origin }
    }

    fn shipped() -> Config {
        Config::shipped(Folders::under(Path::new("/nonexistent"))).unwrap()
    }

    #[test]
    fn an_assigned_setting_wins_and_is_checked_with_the_others() {
        let config = shipped().with_assigned(&[assigned("memory.am", 9), assigned("memory.om", 7)]).unwrap();
        assert_eq!((config.window().am(), config.window().om()), (9, 7));
        let problem = config.with_assigned(&[assigned("memory.am", 3)]).unwrap_err();
        assert!(problem.message.starts_with("--set: OM=7 is more than AM=3"), "{problem}");
    }

    #[test]
    fn a_wrong_name_or_value_is_reported_where_it_was_written() {
        let problem = assigned("play.promt", "x").checked().unwrap_err().to_string();
        assert_eq!(problem, "--set: unknown setting promt in [play]; did you mean prompt or from?");
        let file = SourceFile::shipped("s.toml", "\n\nmemory.am = \"x\"");
        let place = SourceLocation {
            file: file.path.clone(),
            text: file.text.clone(),
            lines_before: 0,
            span: 14..17,
        };
        let wrong = AssignedSetting { origin: Origin::File(place), ..assigned("memory.am", "x") };
        let problem = wrong.checked().unwrap_err().to_string();
        assert_eq!(problem, "shipped/s.toml:3: memory.am must be a whole number, not text in quotes");
        assert_eq!(assigned("model.temperature", 1).checked().unwrap().value, Value::from(1.0));
    }

    #[test]
    fn a_setting_has_the_kind_of_its_default() {
        let kind = |name: &str| setting_kind(name, &Origin::Default).unwrap();
        let names = ["play.agent", "memory.am", "model.temperature", "model.stream", "model.headers"];
        let kinds = [
            SettingKind::Text,
            SettingKind::Integer,
            SettingKind::Number,
            SettingKind::Switch,
            SettingKind::Table,
        ];
        assert_eq!(names.map(kind), kinds);
    }
}
