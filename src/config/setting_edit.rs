//! Writes one setting into the text of a settings file. Everything else in the file, comments included, stays as it is.

use serde_json::Value;

use super::document;
use super::document::WrittenSetting;
use super::folders::Folders;
use super::problem::Problem;
use super::source_file::{SMALL_FILE_LIMIT, SourceFile};

/// A changed settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingEdit {
    /// The complete new text.
    pub text: String,
    /// The line that was replaced; `None` if a line was added.
    pub before: Option<String>,
    /// The new line.
    pub after: String,
    /// Its number, from 1.
    pub line: usize,
}

/// The project's settings file with this setting; the file need not exist. Nothing is written.
pub fn edit_project_setting(folders: &Folders, name: &str, value: &Value) -> Result<SettingEdit, Problem> {
    let path = folders.project_file();
    let file = SourceFile::read_if_exists(&path, SMALL_FILE_LIMIT)?;
    let file = file.unwrap_or_else(|| SourceFile { path, text: "".into() });
    let unknown = || Problem::new(format!("{name} is not a setting"));
    let (table, key) = name.split_once('.').ok_or_else(unknown)?;
    edit(&file, (table, table), key, value)
}

/// The text with this setting. `table` is a table by its path and as it is written in a heading, which differ if it has a
/// part with quotes.
pub(super) fn edit(
    sheet: &SourceFile,
    (table, heading): (&str, &str),
    key: &str,
    value: &Value,
) -> Result<SettingEdit, Problem> {
    let rows = document::parse_settings(sheet)?;
    let written = toml::Value::try_from(value).map_err(|error| Problem::new(error.to_string()))?;
    let find = |key: &str| rows.iter().find(|row| row.table == table && row.key == key);
    let edit = match (find(key), find("")) {
        (Some(row), _) => replace(&sheet.text, row, &written.to_string()),
        (None, Some(row)) => insert(&sheet.text, (heading, key), row, &written.to_string()),
        (None, None) => Some(append(&sheet.text, &format!("{key} = {written}"), heading)),
    };
    let by_hand = || {
        let problem = Problem::new(format!("{table}.{key} cannot be added to this form of the table"));
        problem.with_help(format!("write {key} = {written} into it")).at(
            sheet.path.clone(),
            sheet.text.clone(),
            0..0,
        )
    };
    let edit = edit.ok_or_else(by_hand)?;
    let changed = SourceFile { path: sheet.path.clone(), text: edit.text.as_str().into() };
    let rows = document::parse_settings(&changed).map_err(|_| by_hand())?;
    let row = rows.into_iter().find(|row| row.table == table && row.key == key);
    let is_right = row.is_some_and(|row| row.value.is_ok_and(|read| read == *value));
    if is_right { Ok(edit) } else { Err(by_hand()) }
}

fn replace(text: &str, row: &WrittenSetting, written: &str) -> Option<SettingEdit> {
    let before = line_at(text, row.span.start);
    let text = format!("{}{written}{}", text.get(..row.span.start)?, text.get(row.span.end..)?);
    let after = line_at(&text, row.span.start);
    Some(SettingEdit { line: number_at(&text, row.span.start), before: Some(before), after, text })
}

/// Adds a line below the heading of the table, or above its first line of the form `table.key`.
fn insert(
    text: &str,
    (table, key): (&str, &str),
    row: &WrittenSetting,
    written: &str,
) -> Option<SettingEdit> {
    let start = text.get(..row.name_span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = line_at(text, start);
    let (at, after) = if line.trim_start().starts_with('[') {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
        (end, format!("{key} = {written}"))
    } else {
        (start, format!("{table}.{key} = {written}"))
    };
    let gap = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
    let text = format!("{}{gap}{after}\n{}", &text[..at], &text[at..]);
    Some(SettingEdit { line: number_at(&text, at + gap.len()), before: None, after, text })
}

fn append(text: &str, after: &str, table: &str) -> SettingEdit {
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let head = format!("{text}{gap}[{table}]\n");
    let line = number_at(&head, head.len());
    let text = format!("{head}{after}\n");
    SettingEdit { line, before: None, after: after.to_owned(), text }
}

fn line_at(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or_default().to_owned()
}

fn number_at(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edited(text: &str, name: &str, value: &Value) -> Result<SettingEdit, String> {
        let sheet = SourceFile { path: "mageyard.toml".into(), text: text.into() };
        let (table, key) = name.split_once('.').unwrap();
        edit(&sheet, (table, table), key, value).map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_setting_is_replaced_or_added_and_everything_else_stays() {
        for (text, name, value, expected, before, line) in [
            ("", "model.stream", json!(false), "[model]\nstream = false\n", None, 2),
            (
                "# mine\n[play]\nseed = 1",
                "model.stream",
                json!(false),
                "# mine\n[play]\nseed = 1\n\n[model]\nstream = false\n",
                None,
                6,
            ),
            (
                "[model] # here\n# old\nstream = true # slow\nname = \"m\"\n",
                "model.stream",
                json!(false),
                "[model] # here\n# old\nstream = false # slow\nname = \"m\"\n",
                Some("stream = true # slow"),
                3,
            ),
            (
                "[model]\nname = \"m\"\n",
                "model.extra",
                json!("{\"a\":null}"),
                "[model]\nextra = '{\"a\":null}'\nname = \"m\"\n",
                None,
                2,
            ),
            ("[model]", "model.stream", json!(false), "[model]\nstream = false\n", None, 2),
            (
                "model.name = \"m\"\n[play]\nseed = 1\n",
                "model.images_most",
                json!(1),
                "model.images_most = 1\nmodel.name = \"m\"\n[play]\nseed = 1\n",
                None,
                1,
            ),
        ] {
            let edit = edited(text, name, &value).unwrap();
            assert_eq!((edit.text.as_str(), edit.before.as_deref(), edit.line), (expected, before, line));
        }
    }

    #[test]
    fn a_form_that_cannot_be_edited_is_left_alone() {
        let error = edited("model = { name = \"m\" }\n", "model.stream", &json!(false)).unwrap_err();
        assert!(error.contains("write stream = false into it"), "{error}");
        assert!(edited("[model", "model.stream", &json!(false)).is_err());
    }
}
