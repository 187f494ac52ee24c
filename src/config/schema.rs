//! The settings that exist. The commented default file, compiled in, is the only list of them.

use serde_json::Map;
use serde_json::Value;

use super::document;
use super::document::WrittenSetting;
use super::problem::Problem;
use super::settings::Settings;
use super::source_file::SourceFile;

/// The default file, as it is compiled in.
pub const DEFAULTS: &str = include_str!("../../config.toml");

/// Every setting with its default, in the order of the default file.
#[derive(Clone, Debug)]
pub(super) struct Schema(Vec<SettingSchema>);

/// One setting that exists.
#[derive(Clone, Debug)]
pub(super) struct SettingSchema {
    pub(super) table: String,
    pub(super) key: String,
    pub(super) default: Value,
}

impl SettingSchema {
    /// The name as people write it in speech: `play.agent`.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }
}

impl Schema {
    /// Read from the default file; a problem only if the program was built with a broken one.
    pub(super) fn load() -> Result<Self, Problem> {
        let sheet = SourceFile::shipped("config.toml", DEFAULTS);
        let known =
            document::parse_settings(&sheet)?.into_iter().filter(|row| !row.key.is_empty()).map(|row| {
                let wrong = |kind| sheet.problem_at(format!("no setting can be {kind}"), row.span.clone());
                Ok(SettingSchema { default: row.value.map_err(wrong)?, table: row.table, key: row.key })
            });
        known.collect::<Result<_, Problem>>().map(Self)
    }

    pub(super) fn settings(&self) -> &[SettingSchema] {
        &self.0
    }

    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|setting| setting.name() == name)
    }

    /// Which setting a row of a file means, or why it means none. A table's own row means none.
    pub(super) fn resolve(&self, row: &WrittenSetting, sheet: &SourceFile) -> Result<Option<usize>, Problem> {
        let at = |what: String| sheet.problem_at(what, row.name_span.clone());
        let tables = self.0.iter().map(|setting| setting.table.as_str());
        match (row.table.as_str(), row.key.as_str()) {
            ("", key) if tables.clone().any(|table| table == key) => {
                Err(at(format!("{key} is a table of settings, not a value"))
                    .with_help(format!("write [{key}]")))
            }
            ("", key) => Err(self.wrong_table_problem(key, at(format!("{key} is outside every table")))),
            (table, "") if tables.clone().any(|known| known == table) => Ok(None),
            (table, "") => {
                Err(at(format!("there is no table [{table}]")).with_suggestions(table, unique(tables)))
            }
            (table, key) => match self.index_of(&format!("{table}.{key}")) {
                Some(index) => Ok(Some(index)),
                None => Err(self.unknown_key_problem(
                    table,
                    key,
                    at(format!("there is no setting {key} in [{table}]")),
                )),
            },
        }
    }

    fn unknown_key_problem(&self, table: &str, key: &str, problem: Problem) -> Problem {
        let here = self.0.iter().filter(|setting| setting.table == table).map(|setting| setting.key.as_str());
        let near_here = !crate::domain::nearest_names(key, here.clone()).is_empty();
        let exists_elsewhere = self.0.iter().any(|setting| setting.key == key);
        if exists_elsewhere && !near_here {
            self.wrong_table_problem(key, problem)
        } else {
            problem.with_suggestions(key, here)
        }
    }

    /// For a name that may exist, but in another table.
    fn wrong_table_problem(&self, key: &str, problem: Problem) -> Problem {
        match self.0.iter().find(|setting| setting.key == key) {
            Some(setting) => problem.with_help(format!("{key} belongs under [{}]", setting.table)),
            None => problem.with_suggestions(key, self.0.iter().map(|setting| setting.key.as_str())),
        }
    }

    /// What is wrong with this value for this setting, all others being at their defaults.
    pub(super) fn value_error(&self, index: usize, value: &Value) -> Option<String> {
        let (wanted, given) = (type_name(&self.0[index].default), type_name(value));
        let widened = wanted == NUMBER && given == INTEGER;
        if wanted != given && !widened {
            return Some(format!("{} is {wanted}, not {given}", self.0[index].name()));
        }
        let values = self.0.iter().enumerate();
        let tried =
            values.map(|(at, setting)| if at == index { value.clone() } else { setting.default.clone() });
        let error = self.to_settings(tried).err()?;
        Some(format!("{}: {error}", self.0[index].name()))
    }

    /// Why this text, as a flag or a variable gives it, is no value of the setting's type, if it is not.
    pub(super) fn type_error(&self, index: usize, text: &str, value: &Value) -> Option<String> {
        let wanted = type_name(&self.0[index].default);
        (wanted != type_name(value)).then(|| format!("{} is {wanted}, not {text:?}", self.0[index].name()))
    }

    /// These values, in the order of the settings, as typed settings.
    pub(super) fn to_settings(
        &self,
        values: impl Iterator<Item = Value>,
    ) -> Result<Settings, serde_json::Error> {
        let mut root = Map::new();
        for (setting, value) in self.0.iter().zip(values) {
            let table = root.entry(setting.table.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Some(table) = table.as_object_mut() {
                table.insert(setting.key.clone(), value);
            }
        }
        serde_json::from_value(Value::Object(root))
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = names.collect();
    names.dedup();
    names
}

const INTEGER: &str = "a whole number";
const NUMBER: &str = "a number";

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text in quotes",
        Value::Number(number) if number.is_f64() => NUMBER,
        Value::Number(_) => INTEGER,
        Value::Bool(_) => "true or false",
        _ => "something else",
    }
}

/// What a setting is for, in one line: the first line of the comment above it in the default file.
/// Empty for a name that does not exist.
pub fn setting_summary(name: &str) -> &'static str {
    let Some((table, key)) = name.split_once('.') else { return "" };
    let head = format!("[{table}]");
    let below = DEFAULTS.lines().skip_while(|line| *line != head).skip(1);
    let mut comment = None;
    for line in below.take_while(|line| !line.starts_with('[')) {
        match line.strip_prefix("# ") {
            Some(text) => comment = comment.or(Some(text)),
            None if assigns_key(line, key) => return comment.unwrap_or(""),
            None => comment = None,
        }
    }
    ""
}

/// The default of a setting as it is written in the default file, without quotes. Empty for an empty text and for a
/// name that does not exist.
pub fn setting_default(name: &str) -> &'static str {
    let Some((table, key)) = name.split_once('.') else { return "" };
    let head = format!("[{table}]");
    let below = DEFAULTS.lines().skip_while(|line| *line != head).skip(1);
    let mut lines = below.take_while(|line| !line.starts_with('['));
    let line = lines.find(|line| !line.starts_with('#') && assigns_key(line, key));
    line.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value.trim().trim_matches('"'))
}

fn assigns_key(line: &str, key: &str) -> bool {
    line.split_once('=').is_some_and(|(name, _)| name.trim() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_valid_and_has_a_comment() {
        let known = Schema::load().unwrap();
        let defaults = known.settings().iter().map(|setting| setting.default.clone());
        let settings = known.to_settings(defaults).unwrap();
        assert_eq!(settings.play.agent, "oracle");
        for (index, setting) in known.settings().iter().enumerate() {
            assert_eq!(known.value_error(index, &setting.default), None);
            assert!(!setting_summary(&setting.name()).is_empty(), "{} has no comment", setting.name());
        }
    }

    #[test]
    fn a_setting_summary_is_the_first_line_of_its_comment() {
        assert_eq!(
            setting_summary("store.folder"),
            "Folder of the sessions; empty for `sessions` in the data folder"
        );
        assert_eq!(setting_summary("store.nothing"), "");
        assert_eq!(setting_default("play.agent"), "oracle");
        assert_eq!(setting_default("play.max_steps"), "50");
        assert_eq!([setting_default("play.from"), setting_default("play.nothing")], ["", ""]);
    }
}
