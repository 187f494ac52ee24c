//! Writes a profile of a model into the text of a settings file. Everything else in the file, comments included, stays as it
//! is.

use std::path::Path;

use serde_json::Value;

use super::document;
use super::document::WrittenSetting;
use super::problem::Problem;
use super::profiles::check_profile_name;
use super::setting_edit;
use super::source_file::{SMALL_FILE_LIMIT, SourceFile};

/// A settings file with a profile that was added or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileEdit {
    /// The complete new text.
    pub text: String,
    /// The line where the profile begins, from 1.
    pub line: usize,
    /// Whether it replaces one of the same name.
    pub is_replaced: bool,
}

/// The settings file at `path`, which need not exist, with exactly these settings in the profile `name`. Nothing is
/// written.
///
/// # Errors
///
/// The name is invalid, the file is not a settings file, it has such a profile and `overwrite` is false, or the profile has
/// a form that cannot be edited.
pub fn edit_profile(
    path: &Path,
    name: &str,
    settings: &[(String, Value)],
    overwrite: bool,
) -> Result<ProfileEdit, Problem> {
    check_profile_name(name)?;
    let sheet = SourceFile::read_if_exists(path, SMALL_FILE_LIMIT)?;
    let sheet = sheet.unwrap_or_else(|| SourceFile { path: path.to_owned(), text: "".into() });
    let table = format!("{}.{name}", document::PROFILES);
    let heading = heading(&table);
    let rows = document::parse_settings(&sheet)?;
    let text = match rows.iter().find(|row| row.table == table && row.key.is_empty()) {
        Some(row) if !overwrite => {
            let what = format!("there is a profile {name}");
            let problem = sheet.problem_at(what, row.name_span.clone());
            return Err(problem.with_help("choose another name, or replace it with --overwrite"));
        }
        Some(_) => replaced(&sheet, (&table, &heading), settings)?,
        None => appended(&sheet.text, &heading, settings)?,
    };
    let changed = SourceFile { path: sheet.path.clone(), text: text.as_str().into() };
    let by_hand = || {
        let what = format!("the profile {name} has a form that cannot be edited");
        sheet
            .problem_at(what, 0..0)
            .with_help(format!("write it as [{heading}] with a line for each setting"))
    };
    let written = document::parse_settings(&changed).map_err(|_| by_hand())?;
    let own = |row: &&WrittenSetting| row.table == table && !row.key.is_empty();
    let is_right = others(&written, &table) == others(&rows, &table)
        && written.iter().filter(own).count() == settings.len()
        && settings.iter().all(|(key, value)| {
            written.iter().filter(own).any(|row| row.key == *key && row.value.as_ref() == Ok(value))
        });
    let begins = written.iter().find(|row| row.table == table).filter(|_| is_right).ok_or_else(by_hand)?;
    let line = 1 + text[..begins.name_span.start].matches('\n').count();
    Ok(ProfileEdit { line, is_replaced: own_rows(&rows, &table).next().is_some(), text })
}

/// What a file sets besides a table.
fn others<'a>(
    rows: &'a [WrittenSetting],
    table: &str,
) -> Vec<(&'a str, &'a str, &'a Result<Value, &'static str>)> {
    let others = rows.iter().filter(|row| row.table != table && !row.key.is_empty());
    let mut others: Vec<_> = others.map(|row| (row.table.as_str(), row.key.as_str(), &row.value)).collect();
    others.sort_by_key(|(table, key, _)| (*table, *key));
    others
}

fn own_rows<'a>(rows: &'a [WrittenSetting], table: &'a str) -> impl Iterator<Item = &'a WrittenSetting> {
    rows.iter().filter(move |row| row.table == table)
}

/// The path of a table as it is written between brackets: the name of a profile may need quotes.
pub(super) fn heading(table: &str) -> String {
    let Some((models, name)) = table.split_once('.') else { return table.to_owned() };
    let is_bare = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    let quoted = if is_bare { name.to_owned() } else { Value::from(name).to_string() };
    format!("{models}.{quoted}")
}

fn appended(text: &str, heading: &str, settings: &[(String, Value)]) -> Result<String, Problem> {
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let mut appended = format!("{text}{gap}[{heading}]\n");
    for (key, value) in settings {
        let value = toml::Value::try_from(value).map_err(|error| Problem::new(error.to_string()))?;
        appended.push_str(&format!("{key} = {value}\n"));
    }
    Ok(appended)
}

/// The text in which the table has these settings and no others.
fn replaced(
    sheet: &SourceFile,
    table: (&str, &str),
    settings: &[(String, Value)],
) -> Result<String, Problem> {
    let mut sheet = sheet.clone();
    let is_kept = |row: &WrittenSetting| settings.iter().any(|(key, _)| row.key == *key);
    let lost = |row: &&WrittenSetting| !row.key.is_empty() && !is_kept(row);
    while let Some(row) = own_rows(&document::parse_settings(&sheet)?, table.0).find(lost) {
        sheet.text = without_line(&sheet.text, row).into();
    }
    // A new setting is written below the heading, so the last one comes first.
    for (key, value) in settings.iter().rev() {
        sheet.text = setting_edit::edit(&sheet, table, key, value)?.text.into();
    }
    Ok(sheet.text.to_string())
}

/// The text without the lines of a setting.
fn without_line(text: &str, row: &WrittenSetting) -> String {
    let start = text[..row.name_span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[row.span.end..].find('\n').map_or(text.len(), |at| row.span.end + at + 1);
    format!("{}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edited(
        text: &str,
        name: &str,
        settings: &[(&str, Value)],
        overwrite: bool,
    ) -> Result<ProfileEdit, String> {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("config.toml");
        if !text.is_empty() {
            std::fs::write(&path, text).unwrap();
        }
        let settings: Vec<_> =
            settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let before = std::fs::read(&path).ok();
        let edit = edit_profile(&path, name, &settings, overwrite);
        assert_eq!(std::fs::read(&path).ok(), before, "nothing is written");
        edit.map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_profile_is_added_and_everything_else_stays() {
        let url = ("base_url", json!("http://127.0.0.1:8000/v1"));
        let written = edited("", "local", &[url.clone(), ("temperature", json!(0.5))], false).unwrap();
        let expected = "[models.local]\nbase_url = \"http://127.0.0.1:8000/v1\"\ntemperature = 0.5\n";
        assert_eq!((written.text.as_str(), written.line, written.is_replaced), (expected, 1, false));
        let written = edited("# mine\n[play]\nseed = 1 # one", "a/b.c", &[url], false).unwrap();
        let expected =
            "# mine\n[play]\nseed = 1 # one\n\n[models.\"a/b.c\"]\nbase_url = \"http://127.0.0.1:8000/v1\"\n";
        assert_eq!((written.text.as_str(), written.line), (expected, 5));
    }

    #[test]
    fn a_profile_is_replaced_only_with_permission_and_keeps_its_comments() {
        let text = "[models.a] # one\n# the name\nname = \"x\"\ntop_p = 0.5 # gone\nheaders = { A = \"b\" }\n\n[play]\nseed = 1\n";
        let new = [("name", json!("y")), ("stream", json!(false))];
        let error = edited(text, "a", &new, false).unwrap_err();
        assert!(error.contains("config.toml:1: there is a profile a; choose another name"), "{error}");
        let written = edited(text, "a", &new, true).unwrap();
        let expected = "[models.a] # one\nstream = false\n# the name\nname = \"y\"\n\n[play]\nseed = 1\n";
        assert_eq!((written.text.as_str(), written.line, written.is_replaced), (expected, 1, true));
        assert_eq!(edited(&written.text, "a", &new, true).unwrap().text, expected);
    }

    #[test]
    fn a_form_that_cannot_be_edited_is_left_alone() {
        let inline = "models = { a = { name = \"x\" }, b = { name = \"y\" } }\n";
        let error = edited(inline, "a", &[("stream", json!(false))], true).unwrap_err();
        assert!(error.contains("write it as [models.a] with a line for each setting"), "{error}");
        let own_line = "[models]\na = { name = \"x\", top_p = 1 }\n";
        let written = edited(own_line, "a", &[("stream", json!(false))], true).unwrap();
        assert_eq!(written.text, "[models]\n\n[models.a]\nstream = false\n");
        assert!(edited("[models", "a", &[], false).is_err());
        assert!(edited("", "demo", &[], false).unwrap_err().contains("simulated model"));
        assert!(edited("", "a\u{1b}", &[], false).unwrap_err().contains("cannot be the name of a profile"));
    }
}
