//! Parses a settings file into a flat list of settings with their spans. Names are not checked here.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::source_file::SourceFile;

/// The table whose tables are profiles of models: `[models.NAME]`.
pub(super) const PROFILES: &str = "models";

/// One setting in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenSetting {
    /// Its table, `models.NAME` for a profile; empty for a name outside all tables.
    pub(super) table: String,
    /// Its name in the table; empty for the row of the table itself.
    pub(super) key: String,
    /// The bytes of the name.
    pub(super) name_span: Range<usize>,
    /// The value, or the name of a type that no setting has.
    pub(super) value: Result<Value, &'static str>,
    /// The bytes of the value.
    pub(super) span: Range<usize>,
}

/// The settings of a file in its order. A table has a row too, so that the name of an empty table is checked.
pub(super) fn parse_settings(sheet: &SourceFile) -> Result<Vec<WrittenSetting>, Problem> {
    let document = DeTable::parse(&sheet.text).map_err(|error| sheet.toml_problem(&error))?;
    let mut rows: Vec<WrittenSetting> =
        document.get_ref().iter().flat_map(|(key, value)| settings_in_entry(key, value)).collect();
    rows.sort_by_key(|row| row.name_span.start);
    Ok(rows)
}

/// A single value as it is written in a settings file; `None` if it is not written so.
pub(super) fn parse_value(text: &str) -> Option<Value> {
    json_value(DeValue::parse(text).ok()?.get_ref()).ok()
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

fn settings_in_entry(key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Vec<WrittenSetting> {
    match value.get_ref().as_table() {
        None => vec![written_setting("", key, value)],
        Some(table) if key.get_ref() == PROFILES => {
            table.iter().flat_map(|(name, value)| settings_of_profile(name, value)).collect()
        }
        Some(table) => settings_in_table(key.get_ref(), key, table, value),
    }
}

fn settings_of_profile(name: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Vec<WrittenSetting> {
    let path = format!("{PROFILES}.{}", name.get_ref());
    match value.get_ref().as_table() {
        Some(table) => settings_in_table(&path, name, table, value),
        None => vec![written_setting(PROFILES, name, value)],
    }
}

fn settings_in_table(
    path: &str,
    key: &Key<'_>,
    table: &DeTable<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Vec<WrittenSetting> {
    let own = WrittenSetting { key: String::new(), ..written_setting(path, key, value) };
    let below = table.iter().map(|(name, value)| written_setting(path, name, value));
    std::iter::once(own).chain(below).collect()
}

fn written_setting(table: &str, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> WrittenSetting {
    WrittenSetting {
        table: table.to_owned(),
        key: key.get_ref().to_string(),
        name_span: key.span(),
        value: json_value(value.get_ref()),
        span: value.span(),
    }
}

/// A value as a setting has it, or the name of a type that no setting has.
pub fn json_value(value: &DeValue<'_>) -> Result<Value, &'static str> {
    match value {
        DeValue::String(text) => Ok(Value::from(text.as_ref())),
        DeValue::Boolean(switch) => Ok(Value::from(*switch)),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map(Value::from)
            .map_err(|_| "a number beyond 64 bits"),
        DeValue::Float(digits) => digits
            .as_str()
            .parse::<f64>()
            .ok()
            .and_then(serde_json::Number::from_f64)
            .map(Value::Number)
            .ok_or("a number that is not finite"),
        DeValue::Datetime(_) => Err("a date"),
        DeValue::Array(_) => Err("a list"),
        DeValue::Table(rows) => {
            let text = |value: &DeValue<'_>| Some(Value::from(value.as_str()?));
            let rows =
                rows.iter().map(|(name, value)| Some((name.get_ref().to_string(), text(value.get_ref())?)));
            rows.collect::<Option<_>>().map(Value::Object).ok_or("a table with values that are not texts")
        }
    }
}
