//! Writes the objects of a report as CSV (RFC 4180): a row per combination of settings, a column per field. Fields of an
//! object are named `object.field`, and rows of a list by their `name` or `n`: `best_of.2.score`. The ends of an interval are
//! `NAME.low` and `NAME.high`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::selection::Selection;
use mageyard_config::Problem;
use mageyard_domain::sanitize;

/// The names of the ends of an interval.
const ENDS: [&str; 2] = ["low", "high"];

/// Objects as CSV text; the columns are the fields of all of them, in the order in which they first occur, or those that
/// are chosen.
pub(super) fn write(objects: &[Value], selection: &Selection) -> Result<String, Problem> {
    let mut text = String::new();
    for row in table(objects, selection)? {
        text.push_str(&line(row.iter().map(|cell| quoted(&scalar(cell)))));
    }
    Ok(text)
}

/// The same as rows of values, the names of the columns first.
pub(super) fn table(objects: &[Value], selection: &Selection) -> Result<Vec<Vec<Value>>, Problem> {
    let rows: Vec<Map<String, Value>> = objects.iter().map(flat).collect();
    let mut known = HashSet::new();
    let all = rows.iter().flat_map(Map::keys).filter(|name| known.insert(*name));
    let all: Vec<&String> = all.collect();
    selection.check(all.iter().map(|name| name.as_str()))?;
    let columns = if selection.is_chosen() { selection.names().iter().collect() } else { all };
    let cells = |row: &Map<String, Value>| -> Vec<Value> {
        columns.iter().map(|column| row.get(*column).cloned().unwrap_or_default()).collect()
    };
    let head = columns.iter().map(|name| Value::from(name.as_str())).collect();
    Ok(std::iter::once(head).chain(rows.iter().map(cells)).collect())
}

pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// The fields of an object with their values: texts, numbers, truth values and null.
pub(super) fn flat(object: &Value) -> Map<String, Value> {
    let mut fields = Map::new();
    push_flat("", object, &mut fields);
    fields
}

fn push_flat(name: &str, value: &Value, fields: &mut Map<String, Value>) {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        // The ends of intervals are numbers of their own, also where there are none.
        value if name.ends_with("interval") => {
            for (index, end) in ENDS.into_iter().enumerate() {
                fields.insert(inner(end), value.get(index).cloned().unwrap_or_default());
            }
        }
        Value::Array(intervals) if name.ends_with("intervals") => {
            for (index, end) in ENDS.into_iter().enumerate() {
                let ends =
                    intervals.iter().map(|interval| scalar(interval.get(index).unwrap_or(&Value::Null)));
                fields.insert(inner(end), Value::from(ends.collect::<Vec<_>>().join(";")));
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                push_flat(&inner(key), value, fields);
            }
        }
        Value::Array(rows) if rows.iter().any(Value::is_object) => {
            for (number, row) in (1..).zip(rows) {
                push_flat(&inner(&row_name(row, number)), row, fields);
            }
        }
        Value::Array(values) => {
            let texts: Vec<String> = values.iter().map(scalar).collect();
            fields.insert(name.to_owned(), Value::from(texts.join(";")));
        }
        value => {
            fields.insert(name.to_owned(), value.clone());
        }
    }
}

/// What names a row of a list, or else its number.
fn row_name(row: &Value, number: usize) -> String {
    let key = ["name", "n"].iter().find_map(|key| row.get(key));
    key.map_or_else(|| number.to_string(), scalar)
}

/// A value as text; null is empty, and what a spreadsheet would run as a formula begins with an apostrophe.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            format!("'{}", sanitize(text))
        }
        Value::String(text) => sanitize(text).into_owned(),
        other => other.to_string(),
    }
}

pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_become_rows_with_a_column_per_field() {
        let objects = [
            json!({"agent": "a, \"b\"", "score": 1.5, "score_interval": null, "curve": [{"n": 1, "score": 2}, {"n": 2, "score": 3}]}),
            json!({"agent": "=cmd()", "score": null, "seeds": [1, 2],
                "score_interval": [1.25, 2], "by_step_intervals": [[1, 2], null, [3, 4]]}),
        ];
        let expected = "agent,score,score_interval.low,score_interval.high,curve.1.n,curve.1.score,curve.2.n,\
            curve.2.score,seeds,by_step_intervals.low,by_step_intervals.high\r\n\
            \"a, \"\"b\"\"\",1.5,,,1,2,2,3,,,\r\n'=cmd(),,1.25,2,,,,,1;2,1;;3,2;;4\r\n";
        assert_eq!(write(&objects, &Selection::default()).unwrap(), expected);
        let chosen = Selection::of(&["score_interval.high".to_owned(), "agent".to_owned()]);
        let expected = "score_interval.high,agent\r\n,\"a, \"\"b\"\"\"\r\n2,'=cmd()\r\n";
        assert_eq!(write(&objects, &chosen).unwrap(), expected);
        assert!(write(&objects, &Selection::of(&["scores".to_owned()])).is_err());
    }
}
