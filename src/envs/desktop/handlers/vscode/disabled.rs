//! The disabled extensions, from the stored state of the program.

use std::time::Duration;

use mageyard_domain::shell_quote;
use serde_json::Value;

use super::installed::json;
use crate::handlers::{Case, Finding};

const KEY: &str = "extensionsIdentifiers/disabled";
/// The database is small.
const LONGEST: Duration = Duration::from_secs(20);

/// Prints a value of the database, whose path is the argument.
const QUERY: &str = "import sqlite3, sys
row = sqlite3.connect(sys.argv[1]).execute(\"SELECT value FROM ItemTable WHERE key = ?\", (sys.argv[2],)).fetchone()
print(row[0] if row else \"[]\")";

/// The identifiers of disabled extensions; `None` without a stored state. Older and portable versions have it in
/// `storage.json`, others in a database, which Python reads on the computer.
pub(super) fn disabled(case: &mut Case<'_>) -> Result<Option<Vec<String>>, Finding> {
    let folder = format!("{}/.config/Code/User/globalStorage", case.computer.home());
    let database = format!("{folder}/state.vscdb");
    let facts = case.computer.facts(&database).map_err(|trouble| trouble.as_error(&database))?;
    let storage = json(case, &format!("{folder}/storage.json"))?;
    if let Some(list) = storage.as_ref().and_then(|storage| storage.get(KEY)) {
        return Ok(Some(identifiers(list)));
    }
    if facts.is_none() {
        return Ok(storage.map(|_| Vec::new()));
    }
    let list = query(case, &database)?;
    Ok(Some(identifiers(&list)))
}

/// The command that prints the list of disabled extensions, as JSON, from a database of VS Code.
pub fn disabled_extensions_query(database: &str) -> String {
    format!("python3 -c {} {} {KEY}", shell_quote(QUERY), shell_quote(database))
}

fn query(case: &mut Case<'_>, database: &str) -> Result<Value, Finding> {
    let command = disabled_extensions_query(database);
    let ran = case.computer.run(&command, LONGEST).map_err(|trouble| trouble.as_error(database))?;
    let value = (ran.code == Some(0)).then(|| serde_json::from_str(&ran.output).ok()).flatten();
    value.ok_or_else(|| Finding::error(format!("{database} cannot be read")))
}

fn identifiers(list: &Value) -> Vec<String> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let id = |entry: &Value| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    entries.iter().filter_map(id).collect()
}
