//! The installed extensions.

use serde_json::Value;

use crate::handlers::{Case, Finding, Trouble};

/// An extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extension {
    /// Its publisher and name, such as `ms-python.python`.
    pub(super) id: String,
    /// Its version.
    pub(super) version: String,
}

/// The installed extensions: those of `extensions.json` whose folders are there, or without that file those of the
/// folders. Folders that are marked as obsolete wait to be removed and do not count.
pub(super) fn installed(case: &mut Case<'_>) -> Result<Vec<Extension>, Finding> {
    let folder = format!("{}/.vscode/extensions", case.computer.home());
    let names = match case.computer.list(&folder) {
        Ok(names) => names,
        Err(Trouble::Missing) => return Ok(Vec::new()),
        Err(trouble) => return Err(trouble.as_error(&folder)),
    };
    let obsolete = json(case, &format!("{folder}/.obsolete"))?;
    let is_there = |name: &str| {
        let marked = obsolete.as_ref().and_then(|marks| marks.get(name)).and_then(Value::as_bool);
        names.iter().any(|found| found == name) && marked != Some(true)
    };
    let path = format!("{folder}/extensions.json");
    let Some(list) = json(case, &path)? else {
        return Ok(names.iter().filter(|name| is_there(name)).filter_map(|name| of_folder(name)).collect());
    };
    let list = list.as_array().ok_or_else(|| Finding::error(format!("{path} is not a list")))?;
    Ok(list.iter().filter_map(|entry| of_entry(entry, &is_there)).collect())
}

/// A JSON file of the program; `None` if it is missing.
pub(super) fn json(case: &mut Case<'_>, path: &str) -> Result<Option<Value>, Finding> {
    let bytes = match case.computer.read(path) {
        Ok(bytes) => bytes,
        Err(Trouble::Missing) => return Ok(None),
        Err(trouble) => return Err(trouble.as_error(path)),
    };
    let value = serde_json::from_slice(&bytes);
    value.map(Some).map_err(|error| Finding::error(format!("{path} is not JSON: {error}")))
}

fn of_entry(entry: &Value, is_there: &impl Fn(&str) -> bool) -> Option<Extension> {
    let id = entry.get("identifier")?.get("id")?.as_str()?;
    let version = entry.get("version")?.as_str()?;
    // Extensions of a profile may be elsewhere; they have no relative location.
    let folder = entry.get("relativeLocation").and_then(Value::as_str);
    let counts = folder.is_none_or(is_there);
    counts.then(|| Extension { id: id.to_owned(), version: version.to_owned() })
}

/// The extension of a folder such as `ms-python.python-2024.2.1-linux-x64`.
fn of_folder(name: &str) -> Option<Extension> {
    let dot = name.find('.').filter(|dot| *dot > 0)?;
    let starts_version =
        |(at, _): &(usize, &str)| *at > dot && name.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
    let (at, _) = name.match_indices('-').find(starts_version)?;
    let version = name.get(at + 1..)?;
    let version = version.split('-').next().unwrap_or(version);
    Some(Extension { id: name.get(..at)?.to_owned(), version: version.to_owned() })
}
