//! The axes of a grid: settings with the list of values that each takes in turn.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use super::range;
use mageyard_config::{AssignedSetting, Origin, Problem, SettingKind, SourceFile, SourceLocation};
use mageyard_domain::nearest_names;

/// The keys of a sweep that are another name of a setting.
const ALIASES: [(&str, &str); 2] = [("levels", "play.level"), ("seed", "play.seed")];

/// The keys that a grid has besides settings.
const KEYS: [&str; 3] = ["levels", "repeats", "seed"];

/// Tables of settings that have nothing to do with what an episode is.
const FOREIGN: [&str; 4] = ["store", "screen", "log", "run"];

/// A setting and its values.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The setting's full name.
    pub(super) setting: String,
    /// Its values, at least one.
    pub(super) values: Vec<AssignedSetting>,
    /// Whether it overrides what the grids have.
    pub(super) overrides: bool,
    /// The only value that the grid has in its file, if this overrides it.
    pub(super) replaced: Option<AssignedSetting>,
}

/// The setting that a key of a sweep file names.
pub(super) fn setting_of(key: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, setting)| setting)
}

/// The key of a sweep file that names a setting.
pub(super) fn key_of(setting: &str) -> &str {
    ALIASES.iter().find(|(_, name)| *name == setting).map_or(setting, |(alias, _)| alias)
}

/// Where these bytes of a file are.
pub(super) fn origin(sheet: &SourceFile, span: Range<usize>) -> Origin {
    Origin::File(SourceLocation { file: sheet.path.clone(), text: sheet.text.clone(), lines_before: 0, span })
}

impl Axis {
    /// The axis of a key in a file. The key is checked, and each value by itself.
    pub(super) fn parse(
        sheet: &SourceFile,
        key: &str,
        key_span: Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Self, Problem> {
        let setting = setting_of(key);
        let kind = kind(setting, &origin(sheet, key_span))?;
        let axis = AxisBuilder { key, setting, kind };
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        let mut values = Vec::new();
        for item in items {
            let origin = origin(sheet, item.span());
            let written = mageyard_config::toml_value(item.get_ref())
                .map_err(|found| origin.problem(&format!("{key} cannot be {found}")))?;
            values.extend(axis.values(written, &origin)?);
        }
        axis.finish(values, false, &origin(sheet, value.span()))
    }

    /// The axis of an override, whose text may be a value, a list or a range.
    pub(super) fn of_text(key: &str, text: &str, origin: &Origin) -> Result<Self, Problem> {
        let setting = setting_of(key);
        let axis = AxisBuilder { key, setting, kind: kind(setting, origin)? };
        let mut values = Vec::new();
        for value in written_values(text, axis.kind) {
            let value = value.map_err(|found| origin.problem(&format!("{key} cannot be {found}")))?;
            values.extend(axis.values(value, origin)?);
        }
        axis.finish(values, true, origin)
    }
}

impl Axis {
    /// Its values as they are written in a sweep file.
    pub(super) fn written(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|value| written(&value.value)).collect();
        match values.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        }
    }
}

/// A value as TOML.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => toml::Value::from(text.as_str()).to_string(),
        Value::Object(rows) => {
            let row = |(name, value): (&String, &Value)| {
                format!("{} = {}", toml::Value::from(name.as_str()), written(value))
            };
            format!("{{ {} }}", rows.iter().map(row).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// The kind of a setting that a sweep may have.
fn kind(setting: &str, origin: &Origin) -> Result<SettingKind, Problem> {
    if !setting.contains('.') {
        let problem = origin.problem(&format!("unknown key {setting}"));
        return Err(match nearest_names(setting, KEYS).as_slice() {
            [] => problem.with_help("a setting has the name of its table in front, such as memory.am"),
            near => problem.with_help(format!("did you mean {}?", near.join(" or "))),
        });
    }
    let kind = mageyard_config::setting_kind(setting, origin)?;
    if setting.split_once('.').is_some_and(|(table, _)| is_foreign(table)) {
        let what = format!("{setting} cannot be set in a sweep: it does not change an episode");
        return Err(origin.problem(&what).with_help(OUTSIDE_HELP));
    }
    Ok(kind)
}

/// Where a setting goes that a sweep cannot have.
pub(super) const OUTSIDE_HELP: &str = "set it with a flag, or in config.toml";

/// Whether the settings of this table change no episode, so that a sweep cannot have them.
pub(super) fn is_foreign(table: &str) -> bool {
    FOREIGN.contains(&table)
}

struct AxisBuilder<'a> {
    key: &'a str,
    setting: &'a str,
    kind: SettingKind,
}

impl AxisBuilder<'_> {
    /// The checked values of one item: several if it is a range.
    fn values(&self, written: Value, origin: &Origin) -> Result<Vec<AssignedSetting>, Problem> {
        let is_number = matches!(self.kind, SettingKind::Integer | SettingKind::Number);
        let range = written.as_str().filter(|_| is_number).and_then(|text| range::parse(text, self.kind));
        let values = match range {
            Some(Ok(values)) => values,
            Some(Err(what)) => return Err(self.wrong_range(&written, &what, origin)),
            None => vec![written],
        };
        let name = || self.setting.to_owned();
        let assigned = |value| AssignedSetting { name: name(), value, origin: origin.clone() }.checked();
        values.into_iter().map(assigned).collect()
    }

    fn wrong_range(&self, written: &Value, what: &str, origin: &Origin) -> Problem {
        let text = written.as_str().unwrap_or_default();
        let problem = origin.problem(&format!("{}: {text:?} is not a range: {what}", self.key));
        problem.with_help("write \"1..3\", which has both ends, or \"0..10 step 5\"")
    }

    fn finish(&self, values: Vec<AssignedSetting>, overrides: bool, all: &Origin) -> Result<Axis, Problem> {
        if values.is_empty() {
            let problem = all.problem(&format!("{}: the list is empty, so the grid has no cell", self.key));
            return Err(problem.with_help("write at least one value, or remove the line"));
        }
        Ok(Axis { setting: self.setting.to_owned(), values, overrides, replaced: None })
    }
}

/// The values of a text from the command line: one, or those of a list. Texts may be without quotes.
fn written_values(text: &str, kind: SettingKind) -> Vec<Result<Value, &'static str>> {
    let parsed = DeValue::parse(text).ok();
    match parsed.as_ref().map(Spanned::get_ref) {
        Some(DeValue::Array(items)) => {
            items.iter().map(|item| mageyard_config::toml_value(item.get_ref())).collect()
        }
        // `123` is a fine name of a model.
        Some(value) if kind != SettingKind::Text || value.is_str() => {
            vec![mageyard_config::toml_value(value)]
        }
        _ => plain_items(text).map(|item| Ok(item_value(item, kind))).collect(),
    }
}

/// The items of a list whose texts have no quotes, such as `[a, b]`; the text itself if it is no such list.
fn plain_items(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let list = inside.filter(|inside| !inside.contains(['[', ']', '"', '\'']) && !inside.trim().is_empty());
    let separator = if list.is_some() { ',' } else { '\0' };
    list.unwrap_or(text).split(separator).map(str::trim)
}

fn item_value(text: &str, kind: SettingKind) -> Value {
    let parsed = (kind != SettingKind::Text).then(|| DeValue::parse(text).ok()).flatten();
    let value = parsed.and_then(|value| mageyard_config::toml_value(value.get_ref()).ok());
    value.unwrap_or_else(|| Value::from(text))
}
