//! Writes the objects of a report as CSV (RFC 4180): a row per combination of settings, a column per field. Fields of an
//! object are named `object.field`, and rows of a list by their `name` or `n`: `best_of.2.score`.

use serde_json::Value;

use mageyard_domain::sanitize;

/// Objects as CSV text; the columns are the fields of all of them, in the order in which they first occur.
pub(super) fn write(objects: &[Value]) -> String {
    let rows: Vec<Vec<(String, String)>> = objects.iter().map(flat).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut text = line(columns.iter().map(|name| quoted(name)));
    for row in &rows {
        let cell =
            |column: &&str| row.iter().find(|(name, _)| name == column).map(|(_, value)| quoted(value));
        text.push_str(&line(columns.iter().map(|column| cell(column).unwrap_or_default())));
    }
    text
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// The fields of an object with their values as text.
fn flat(object: &Value) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    push_flat("", object, &mut fields);
    fields
}

fn push_flat(name: &str, value: &Value, fields: &mut Vec<(String, String)>) {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
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
            fields.push((name.to_owned(), texts.join(";")));
        }
        value => fields.push((name.to_owned(), scalar(value))),
    }
}

/// What names a row of a list, or else its number.
fn row_name(row: &Value, number: usize) -> String {
    let key = ["name", "n"].iter().find_map(|key| row.get(key));
    key.map_or_else(|| number.to_string(), scalar)
}

/// A value as text; null is empty, and what a spreadsheet would run as a formula begins with an apostrophe.
fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            format!("'{}", sanitize(text))
        }
        Value::String(text) => sanitize(text).into_owned(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
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
            json!({"agent": "a, \"b\"", "score": 1.5, "curve": [{"n": 1, "score": 2}, {"n": 2, "score": 3}]}),
            json!({"agent": "=cmd()", "score": null, "seeds": [1, 2], "low": -2.5}),
        ];
        let expected = "agent,score,curve.1.n,curve.1.score,curve.2.n,curve.2.score,seeds,low\r\n\
            \"a, \"\"b\"\"\",1.5,1,2,2,3,,\r\n'=cmd(),,,,,,1;2,-2.5\r\n";
        assert_eq!(write(&objects), expected);
    }
}
