//! Settings from flags and variables: one text each, converted to the type of the setting. `--set` names any setting.

use serde_json::Value;

use super::document;
use super::origin::{Origin, ResolvedSetting};
use super::problem::Problem;
use super::schema::Schema;

/// A setting from a flag or a variable, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOverride {
    /// The setting's name, such as `screen.theme`, or one entry of a setting that is a table, such as
    /// `model.headers.X-Team`.
    pub name: String,
    /// The text of the value.
    pub text: String,
    /// Whether the text can be written as in a settings file. Otherwise a text is taken as it is.
    pub is_toml: bool,
    /// The flag or the variable.
    pub origin: Origin,
}

impl SettingOverride {
    /// The value of a flag or a variable of one setting.
    pub fn new(name: impl Into<String>, text: impl Into<String>, origin: Origin) -> Self {
        Self { name: name.into(), text: text.into(), is_toml: false, origin }
    }

    /// Reads `TABLE.NAME=VALUE`, as given with this flag. Whether the setting exists is checked with all others.
    pub fn parse(assignment: &str, flag: &str) -> Result<Self, Problem> {
        let named = assignment.split_once('=').map(|(name, text)| (name.trim(), text.trim()));
        let named =
            named.filter(|(name, _)| name.contains('.') && !name.ends_with('.') && !name.starts_with('.'));
        let Some((name, text)) = named else {
            let problem = Problem::new(format!("{flag}: {assignment:?} is not a setting and a value"));
            return Err(
                problem.with_help(format!("write TABLE.NAME=VALUE, such as {flag} model.timeout=300"))
            );
        };
        let origin = Origin::Flag(flag.to_owned());
        Ok(Self { name: name.to_owned(), text: text.to_owned(), is_toml: true, origin })
    }

    /// Checks the setting and its value, with all other settings at their defaults.
    pub(super) fn check(&self, known: &Schema) -> Result<(), Problem> {
        let (index, entry) = self.find(known)?;
        self.value(known, index, entry, &known.settings()[index].default).map(drop)
    }

    /// Changes the setting in a list of all.
    pub(super) fn apply(
        &self,
        known: &Schema,
        rows: &mut [ResolvedSetting],
        rank: usize,
    ) -> Result<(), Problem> {
        let (index, entry) = self.find(known)?;
        let value = self.value(known, index, entry, &rows[index].value)?;
        rows[index] = ResolvedSetting { value, origin: self.origin.clone(), rank, ..rows[index].clone() };
        Ok(())
    }

    /// The index of the setting, and the name of the entry if it is a table and only one entry is set.
    fn find(&self, known: &Schema) -> Result<(usize, Option<&str>), Problem> {
        if let Some(index) = known.index_of(&self.name) {
            return Ok((index, None));
        }
        let entry =
            self.name.match_indices('.').nth(1).map(|(at, _)| (&self.name[..at], &self.name[at + 1..]));
        let found = entry.and_then(|(table, entry)| Some((known.index_of(table)?, entry)));
        match found.filter(|(index, _)| known.settings()[*index].default.is_object()) {
            Some((index, entry)) => Ok((index, Some(entry.trim_matches(['"', '\''])))),
            None => Err(known.unknown_name(&self.name, &self.origin)),
        }
    }

    /// The value, checked. `before` is the value that it replaces, or to which it adds an entry.
    fn value(
        &self,
        known: &Schema,
        index: usize,
        entry: Option<&str>,
        before: &Value,
    ) -> Result<Value, Problem> {
        let default = &known.settings()[index].default;
        let value = match (entry, before) {
            (Some(entry), Value::Object(rows)) => {
                let mut rows = rows.clone();
                rows.insert(entry.to_owned(), self.converted(&Value::from("")));
                Value::Object(rows)
            }
            _ => self.converted(default),
        };
        let error = known.type_error(index, &self.text, &value).or_else(|| known.value_error(index, &value));
        error.map_or(Ok(value), |what| Err(Problem::new(format!("{}: {what}", self.origin))))
    }

    /// The text converted to the type of the default; unchanged if that is not possible.
    fn converted(&self, like: &Value) -> Value {
        let written = if self.is_toml { document::parse_value(&self.text) } else { None };
        let fits = |value: &Value| match (like, value) {
            (Value::Number(like), Value::Number(number)) => like.is_f64() || !number.is_f64(),
            (like, value) => std::mem::discriminant(like) == std::mem::discriminant(value),
        };
        let number = |value: Value| match (like, value.as_f64()) {
            (Value::Number(like), Some(number)) if like.is_f64() => Value::from(number),
            _ => value,
        };
        written.filter(fits).map_or_else(|| parse_like(&self.text, like), number)
    }
}

/// The text converted to the type of the default; unchanged if that is not possible.
fn parse_like(text: &str, like: &Value) -> Value {
    let parsed = match like {
        Value::Number(number) if number.is_f64() => text.parse::<f64>().ok().map(Value::from),
        Value::Number(_) => text.parse::<i64>().ok().map(Value::from),
        Value::Bool(_) => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    parsed.unwrap_or_else(|| Value::from(text))
}

/// Refuses a setting that is given twice on the command line: one of the two would be lost.
pub fn refuse_repeated(given: &[SettingOverride]) -> Result<(), Problem> {
    let flags = || given.iter().filter(|row| matches!(row.origin, Origin::Flag(_)));
    for (index, row) in flags().enumerate() {
        if let Some(first) = flags().take(index).find(|first| first.name == row.name) {
            let both = if first.origin == row.origin {
                format!("{} sets {} twice", row.origin, row.name)
            } else {
                format!("{} and {} both set {}", first.origin, row.origin, row.name)
            };
            return Err(Problem::new(both).with_help("give it once"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(assignment: &str) -> Result<Value, String> {
        let known = Schema::load().unwrap();
        let given = SettingOverride::parse(assignment, "--set").map_err(|problem| problem.to_string())?;
        let (index, entry) = given.find(known).map_err(|problem| problem.to_string())?;
        let default = &known.settings()[index].default;
        given.value(known, index, entry, default).map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_value_is_read_by_the_type_of_its_setting() {
        for (assignment, json) in [
            ("model.name=gpt 4", r#""gpt 4""#),
            ("model.name=123", r#""123""#),
            ("model.name=\"a=b\"", r#""a=b""#),
            ("model.name = 'it''", r#""'it''""#),
            ("model.extra={\"seed\": 1}", r#""{\"seed\": 1}""#),
            ("model.timeout=1_000", "1000"),
            ("model.temperature=1", "1.0"),
            ("model.temperature=5e-1", "0.5"),
            ("model.stream=false", "false"),
            ("model.headers={ X-A = \"b\" }", r#"{"X-A":"b"}"#),
            ("model.headers.X-A=b", r#"{"X-A":"b"}"#),
            ("model.query.\"api-version\"=2024-10-21", r#"{"api-version":"2024-10-21"}"#),
            ("model.headers.X-A=\"5\"", r#"{"X-A":"5"}"#),
        ] {
            assert_eq!(value(assignment).unwrap().to_string(), json, "{assignment}");
        }
    }

    #[test]
    fn a_mistake_names_the_flag_and_what_was_meant() {
        for (assignment, says) in [
            (
                "model.timeout",
                "--set: \"model.timeout\" is not a setting and a value; write TABLE.NAME=VALUE",
            ),
            ("timeout=3", "is not a setting and a value"),
            ("model.timout=3", "--set: unknown setting timout in [model]; did you mean timeout?"),
            ("modle.timeout=3", "--set: unknown table [modle]; did you mean model?"),
            ("play.theme=dark", "--set: unknown setting theme in [play]; theme belongs under [screen]"),
            ("model.name.first=x", "--set: unknown setting name.first in [model]"),
            ("model.timeout=soon", "--set: model.timeout must be a whole number, not \"soon\""),
            ("model.timeout=1.5", "--set: model.timeout must be a whole number, not \"1.5\""),
            ("model.stream=\"true\"", "--set: model.stream must be true or false, not \"\\\"true\\\"\""),
            ("play.max_steps=0", "--set: play.max_steps: 0 is out of range"),
            ("model.headers=X-A", "--set: model.headers must be a table of texts, not \"X-A\""),
        ] {
            let error = value(assignment).unwrap_err();
            assert!(error.starts_with(says) || error.contains(says), "{assignment}: {error}");
        }
    }

    #[test]
    fn a_setting_given_twice_on_the_command_line_is_refused() {
        let flag = |name: &str, flag: &str| SettingOverride::new(name, "1", Origin::Flag(flag.to_owned()));
        let variable = SettingOverride::new("a.b", "1", Origin::Variable("A_B".to_owned()));
        assert_eq!(refuse_repeated(&[variable.clone(), flag("a.b", "--b"), flag("a.c", "--set")]), Ok(()));
        let says = |given: &[SettingOverride]| refuse_repeated(given).unwrap_err().message;
        assert_eq!(says(&[flag("a.b", "--b"), flag("a.b", "--set")]), "--b and --set both set a.b");
        assert_eq!(says(&[flag("a.b", "--set"), variable, flag("a.b", "--set")]), "--set sets a.b twice");
    }
}
