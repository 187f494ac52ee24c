//! The list of all settings: the commented default file, which is compiled in.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::document;
use super::document::WrittenSetting;
use super::origin::{Origin, ResolvedSetting};
use super::problem::Problem;
use super::settings::Settings;
use super::source_file::SourceFile;

/// The text of the default file.
pub const DEFAULTS: &str = include_str!("../../config.toml");

/// Every setting with its default, in the order of the default file.
#[derive(Clone, Debug)]
pub(super) struct Schema(Vec<SettingSchema>);

/// The parsed default file, which is a constant: plans of thousands of cells read it for each.
static SHIPPED: LazyLock<Result<Schema, Problem>> = LazyLock::new(Schema::parse_defaults);

/// One setting.
#[derive(Clone, Debug)]
pub(super) struct SettingSchema {
    pub(super) table: String,
    pub(super) key: String,
    pub(super) default: Value,
}

impl SettingSchema {
    /// The full name, such as `play.agent`.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }
}

impl Schema {
    /// The list in the default file. Fails only if the program was built with an invalid one.
    pub(super) fn load() -> Result<&'static Self, Problem> {
        SHIPPED.as_ref().map_err(Problem::clone)
    }

    fn parse_defaults() -> Result<Self, Problem> {
        let sheet = SourceFile::shipped("config.toml", DEFAULTS);
        let known =
            document::parse_settings(&sheet)?.into_iter().filter(|row| !row.key.is_empty()).map(|row| {
                let wrong = |kind| sheet.problem_at(format!("a setting cannot be {kind}"), row.span.clone());
                Ok(SettingSchema { default: row.value.map_err(wrong)?, table: row.table, key: row.key })
            });
        known.collect::<Result<_, Problem>>().map(Self)
    }

    /// Every setting with its default value.
    pub(super) fn default_settings(&self) -> Vec<ResolvedSetting> {
        let row = |setting: &SettingSchema| ResolvedSetting {
            table: setting.table.clone(),
            key: setting.key.clone(),
            value: setting.default.clone(),
            origin: Origin::Default,
            rank: 0,
        };
        self.0.iter().map(row).collect()
    }

    pub(super) fn settings(&self) -> &[SettingSchema] {
        &self.0
    }

    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|setting| setting.name() == name)
    }

    /// The index of the setting that a row of a file sets; `None` for the row of a table.
    pub(super) fn resolve(&self, row: &WrittenSetting, sheet: &SourceFile) -> Result<Option<usize>, Problem> {
        let at = |what: String| sheet.problem_at(what, row.name_span.clone());
        let tables = self.0.iter().map(|setting| setting.table.as_str());
        match (row.table.as_str(), row.key.as_str()) {
            ("", key) if tables.clone().any(|table| table == key) => {
                Err(at(format!("{key} is a table of settings, not a value"))
                    .with_help(format!("write [{key}]")))
            }
            ("", key) => Err(self.wrong_table_problem(key, at(format!("{key} is outside all tables")))),
            (table, "") if tables.clone().any(|known| known == table) => Ok(None),
            (table, "") => {
                Err(at(format!("unknown table [{table}]")).with_suggestions(table, unique(tables)))
            }
            (table, key) => match self.index_of(&format!("{table}.{key}")) {
                Some(index) => Ok(Some(index)),
                None => Err(self.unknown_key_problem(
                    table,
                    key,
                    at(format!("unknown setting {key} in [{table}]")),
                )),
            },
        }
    }

    /// The problem with a name that no setting has, given by a flag or a variable.
    pub(super) fn unknown_name(&self, name: &str, origin: &Origin) -> Problem {
        let (table, key) = name.split_once('.').unwrap_or(("", name));
        let tables = self.0.iter().map(|setting| setting.table.as_str());
        if tables.clone().any(|known| known == table) {
            let problem = origin.problem(&format!("unknown setting {key} in [{table}]"));
            return self.unknown_key_problem(table, key, problem);
        }
        origin.problem(&format!("unknown table [{table}]")).with_suggestions(table, unique(tables))
    }

    fn unknown_key_problem(&self, table: &str, key: &str, problem: Problem) -> Problem {
        let here = self.0.iter().filter(|setting| setting.table == table).map(|setting| setting.key.as_str());
        // A setting of this name in another table is meant, and not a similar one in this table.
        if self.0.iter().any(|setting| setting.key == key) {
            return self.wrong_table_problem(key, problem);
        }
        problem.with_suggestions(key, here)
    }

    /// The help for a name that may be in another table.
    fn wrong_table_problem(&self, key: &str, problem: Problem) -> Problem {
        match self.0.iter().find(|setting| setting.key == key) {
            Some(setting) => problem.with_help(format!("{key} belongs under [{}]", setting.table)),
            None => problem.with_suggestions(key, self.0.iter().map(|setting| setting.key.as_str())),
        }
    }

    /// What is wrong with a value of this setting, with all other settings at their defaults.
    pub(super) fn value_error(&self, index: usize, value: &Value) -> Option<String> {
        self.value_error_as(&self.0[index].name(), index, value)
    }

    /// Like [`Self::value_error`], with another name for the setting.
    pub(super) fn value_error_as(&self, name: &str, index: usize, value: &Value) -> Option<String> {
        let expected = type_name(&self.0[index].default);
        let given = type_name(value);
        let widened = expected == NUMBER && given == INTEGER;
        if expected != given && given == TABLE {
            return Some(format!("{name} cannot be a table"));
        }
        if expected != given && !widened {
            return Some(format!("{name} must be {expected}, not {given}"));
        }
        let values = self.0.iter().enumerate();
        let tried =
            values.map(|(at, setting)| if at == index { value.clone() } else { setting.default.clone() });
        let error = self.to_settings(tried).err()?;
        Some(format!("{name}: {error}"))
    }

    /// The error for the text of a flag or a variable that does not have the type of the setting.
    pub(super) fn type_error(&self, index: usize, text: &str, value: &Value) -> Option<String> {
        let expected = type_name(&self.0[index].default);
        (expected != type_name(value))
            .then(|| format!("{} must be {expected}, not {text:?}", self.0[index].name()))
    }

    /// Converts values, in the order of the settings, into typed settings.
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
const TABLE: &str = "a table of texts";

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text in quotes",
        Value::Number(number) if number.is_f64() => NUMBER,
        Value::Number(_) => INTEGER,
        Value::Bool(_) => "true or false",
        Value::Object(_) => TABLE,
        _ => "something else",
    }
}

/// The summary of a setting: the first line of the comment above it in the default file. Empty for an unknown name.
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
