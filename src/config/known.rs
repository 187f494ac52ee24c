//! The settings that exist. The commented default file, compiled in, is the only list of them.

use serde_json::Map;
use serde_json::Value;

use super::document;
use super::document::Written;
use super::problem::Problem;
use super::settings::Settings;
use super::sheet::Sheet;

/// The default file, as it is compiled in.
pub const DEFAULTS: &str = include_str!("../../config.toml");

/// Every setting with its default, in the order of the default file.
#[derive(Clone, Debug)]
pub(super) struct Known(Vec<Setting>);

/// One setting that exists.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) table: String,
    pub(super) key: String,
    pub(super) default: Value,
}

impl Setting {
    /// The name as people write it in speech: `play.agent`.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }
}

impl Known {
    /// Read from the default file; a problem only if the program was built with a broken one.
    pub(super) fn read() -> Result<Self, Problem> {
        let sheet = Sheet::shipped("config.toml", DEFAULTS);
        let known = document::rows(&sheet)?.into_iter().filter(|row| !row.key.is_empty()).map(|row| {
            let wrong = |kind| sheet.problem(format!("no setting can be {kind}"), row.span.clone());
            Ok(Setting { default: row.value.map_err(wrong)?, table: row.table, key: row.key })
        });
        known.collect::<Result<_, Problem>>().map(Self)
    }

    pub(super) fn all(&self) -> &[Setting] {
        &self.0
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|setting| setting.name() == name)
    }

    /// Which setting a row of a file means, or why it means none. A table's own row means none.
    pub(super) fn judge(&self, row: &Written, sheet: &Sheet) -> Result<Option<usize>, Problem> {
        let at = |what: String| sheet.problem(what, row.name_span.clone());
        let tables = self.0.iter().map(|setting| setting.table.as_str());
        match (row.table.as_str(), row.key.as_str()) {
            ("", key) if tables.clone().any(|table| table == key) => {
                Err(at(format!("{key} is a table of settings, not a value")).help(format!("write [{key}]")))
            }
            ("", key) => Err(self.elsewhere(key, at(format!("{key} stands outside every table")))),
            (table, "") if tables.clone().any(|known| known == table) => Ok(None),
            (table, "") => Err(at(format!("there is no table [{table}]")).known(table, unique(tables))),
            (table, key) => match self.find(&format!("{table}.{key}")) {
                Some(index) => Ok(Some(index)),
                None => Err(self.misspelt(table, key, at(format!("there is no setting {key} in [{table}]")))),
            },
        }
    }

    fn misspelt(&self, table: &str, key: &str, problem: Problem) -> Problem {
        let here = self.0.iter().filter(|setting| setting.table == table).map(|setting| setting.key.as_str());
        let near_here = !crate::domain::nearest(key, here.clone()).is_empty();
        let exists_elsewhere = self.0.iter().any(|setting| setting.key == key);
        if exists_elsewhere && !near_here { self.elsewhere(key, problem) } else { problem.known(key, here) }
    }

    /// For a name that may exist, but in another table.
    fn elsewhere(&self, key: &str, problem: Problem) -> Problem {
        match self.0.iter().find(|setting| setting.key == key) {
            Some(setting) => problem.help(format!("{key} belongs under [{}]", setting.table)),
            None => problem.known(key, self.0.iter().map(|setting| setting.key.as_str())),
        }
    }

    /// What is wrong with this value for this setting, all others being at their defaults.
    pub(super) fn refusal(&self, index: usize, value: &Value) -> Option<String> {
        let (wanted, given) = (kind(&self.0[index].default), kind(value));
        let widened = wanted == FRACTION && given == WHOLE;
        if wanted != given && !widened {
            return Some(format!("{} is {wanted}, not {given}", self.0[index].name()));
        }
        let values = self.0.iter().enumerate();
        let tried =
            values.map(|(at, setting)| if at == index { value.clone() } else { setting.default.clone() });
        let error = self.typed(tried).err()?;
        Some(format!("{}: {error}", self.0[index].name()))
    }

    /// Why this text, as a flag or a variable gives it, is no value of the setting's type, if it is not.
    pub(super) fn misfit(&self, index: usize, text: &str, value: &Value) -> Option<String> {
        let wanted = kind(&self.0[index].default);
        (wanted != kind(value)).then(|| format!("{} is {wanted}, not {text:?}", self.0[index].name()))
    }

    /// These values, in the order of the settings, as typed settings.
    pub(super) fn typed(&self, values: impl Iterator<Item = Value>) -> Result<Settings, serde_json::Error> {
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

const WHOLE: &str = "a whole number";
const FRACTION: &str = "a number";

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text in quotes",
        Value::Number(number) if number.is_f64() => FRACTION,
        Value::Number(_) => WHOLE,
        Value::Bool(_) => "true or false",
        _ => "something else",
    }
}

/// What a setting is for, in one line: the first line of the comment above it in the default file.
/// Empty for a name that does not exist.
pub fn about(name: &str) -> &'static str {
    let Some((table, key)) = name.split_once('.') else { return "" };
    let head = format!("[{table}]");
    let below = DEFAULTS.lines().skip_while(|line| *line != head).skip(1);
    let mut comment = None;
    for line in below.take_while(|line| !line.starts_with('[')) {
        match line.strip_prefix("# ") {
            Some(text) => comment = comment.or(Some(text)),
            None if names(line, key) => return comment.unwrap_or(""),
            None => comment = None,
        }
    }
    ""
}

fn names(line: &str, key: &str) -> bool {
    line.split_once('=').is_some_and(|(name, _)| name.trim() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_is_whole() {
        let known = Known::read().unwrap();
        let defaults = known.all().iter().map(|setting| setting.default.clone());
        let settings = known.typed(defaults).unwrap();
        assert_eq!(settings.play.agent, "oracle");
        for (index, setting) in known.all().iter().enumerate() {
            assert_eq!(known.refusal(index, &setting.default), None);
            assert!(!about(&setting.name()).is_empty(), "{} has no comment", setting.name());
        }
    }

    #[test]
    fn a_line_about_a_setting_is_the_first_of_its_comment() {
        assert_eq!(
            about("store.folder"),
            "The folder where sessions are kept; empty for `sessions` in the data folder"
        );
        assert_eq!(about("store.nothing"), "");
    }
}
