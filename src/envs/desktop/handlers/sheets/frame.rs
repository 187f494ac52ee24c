//! A sheet as pandas reads it (`read_excel`, version 2), for the verdicts of the released code.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Finding;
use crate::office::xlsx::{Position, Sheet, Value};

/// Columns with a header, of types that follow from their cells.
pub(super) struct Frame {
    /// Rows below the header.
    height: u32,
    columns: Vec<Column>,
}

struct Column {
    header: Value,
    kind: Kind,
    cells: BTreeMap<u32, Value>,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Whole numbers, none missing.
    Whole,
    /// Numbers; missing ones too, and columns without anything.
    Number,
    /// true and false, none missing.
    Flag,
    /// Anything else.
    Object,
}

/// Texts that pandas takes for missing values.
const MISSING: &[&str] = &[
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
    "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

impl Frame {
    /// Reads a sheet: the first row is the header.
    pub(super) fn of(sheet: &Sheet) -> Self {
        let is_seen =
            |value: &Value| !matches!(value, Value::Formula(_)) && *value != Value::Text(String::new());
        let cells = sheet.cells.iter().filter(|(_, value)| is_seen(value));
        let last = |end: Position, position: &Position| Position {
            row: end.row.max(position.row),
            column: end.column.max(position.column),
        };
        let end = cells.clone().map(|(position, _)| position).fold(Position { row: 0, column: 0 }, last);
        let mut raw: Vec<(Option<&Value>, BTreeMap<u32, &Value>)> = Vec::new();
        raw.resize_with(end.column as usize, Default::default);
        for (position, value) in cells {
            let Some((header, rows)) = raw.get_mut(position.column as usize - 1) else { continue };
            if position.row == 1 {
                *header = Some(value);
            } else {
                rows.insert(position.row, value);
            }
        }
        let height = end.row.saturating_sub(1);
        let headers = headers(raw.iter().map(|(header, _)| *header));
        let columns = raw.into_iter().zip(headers);
        let columns = columns.map(|((_, rows), header)| Column::of(header, rows, height));
        Self { height, columns: columns.collect() }
    }

    /// Compares this frame with the expected one, numbers rounded.
    pub(super) fn compare(&self, expected: &Self, precision: i32) -> Result<(), Finding> {
        let size = |frame: &Self| (frame.height, frame.columns.len());
        if size(self) != size(expected) {
            let (rows, columns) = size(self);
            let (wanted_rows, wanted_columns) = size(expected);
            return Err(Finding::Fail(format!(
                "the sheet has {rows} rows below its header and {columns} columns, expected are {wanted_rows} and {wanted_columns}"
            )));
        }
        self.columns
            .iter()
            .zip(&expected.columns)
            .try_for_each(|(found, wanted)| found.compare(wanted, precision))
    }
}

/// Names of columns: a repeated one gets a number that makes it new, an empty one a name.
fn headers<'a>(values: impl Iterator<Item = Option<&'a Value>>) -> Vec<Value> {
    let named = values
        .enumerate()
        .map(|(index, value)| value.cloned().unwrap_or_else(|| Value::Text(format!("Unnamed: {index}"))));
    let mut headers: Vec<Value> = named.collect();
    let taken: HashSet<String> = headers.iter().map(key).collect();
    let mut seen: HashSet<String> = HashSet::new();
    let mut counts: HashMap<String, u32> = HashMap::new();
    for header in &mut headers {
        if seen.insert(key(header)) {
            continue;
        }
        let plain = plain(header);
        let count = counts.entry(plain.clone()).or_default();
        loop {
            *count += 1;
            *header = Value::Text(format!("{plain}.{count}"));
            let key = key(header);
            if !taken.contains(&key) && seen.insert(key) {
                break;
            }
        }
    }
    headers
}

/// A header as a key: a number is another one than a text of the same digits.
fn key(header: &Value) -> String {
    format!("{header:?}")
}

/// A header as a text, without quotes.
fn plain(header: &Value) -> String {
    if let Value::Text(text) = header { text.clone() } else { header.to_string() }
}

impl Column {
    fn of(header: Value, rows: BTreeMap<u32, &Value>, height: u32) -> Self {
        let is_missing = |value: &Value| match value {
            Value::Error(_) => true,
            Value::Text(text) => MISSING.contains(&text.as_str()),
            _ => false,
        };
        let present: BTreeMap<u32, &Value> =
            rows.into_iter().filter(|(_, value)| !is_missing(value)).collect();
        let has_gaps = u32::try_from(present.len()).unwrap_or(u32::MAX) < height;
        let all = |convert: fn(&Value) -> Option<Value>| -> Option<BTreeMap<u32, Value>> {
            present.iter().map(|(row, value)| Some((*row, convert(value)?))).collect()
        };
        if let Some(cells) = all(number) {
            let is_whole = |value: &&Value| {
                matches!(value, Value::Number(number) if number.fract() == 0.0)
                    || matches!(value, Value::Text(text) if text.trim().parse::<i64>().is_ok())
            };
            let whole = !has_gaps && !cells.is_empty() && present.values().all(is_whole);
            return Self { header, kind: if whole { Kind::Whole } else { Kind::Number }, cells };
        }
        if let Some(cells) = all(flag).filter(|_| !has_gaps) {
            return Self { header, kind: Kind::Flag, cells };
        }
        let cells = present.into_iter().map(|(row, value)| (row, value.clone())).collect();
        Self { header, kind: Kind::Object, cells }
    }

    fn compare(&self, expected: &Self, precision: i32) -> Result<(), Finding> {
        if self.header != expected.header {
            return Err(Finding::Fail(format!(
                "a column is called {}, expected is {}",
                self.header, expected.header
            )));
        }
        if self.kind != expected.kind {
            let header = &self.header;
            return Err(Finding::Fail(format!(
                "the column {header} has the type {:?}, expected is {:?}",
                self.kind, expected.kind
            )));
        }
        let rows = self.cells.keys().chain(expected.cells.keys());
        for row in rows {
            let found = self.cells.get(row);
            let wanted = expected.cells.get(row);
            if !same(found, wanted, self.kind, precision) {
                let text =
                    |value: Option<&Value>| value.map_or_else(|| "missing".to_owned(), Value::to_string);
                let header = &self.header;
                let sentence =
                    format!("row {row} of {header} is {}, expected is {}", text(found), text(wanted));
                return Err(Finding::Fail(sentence));
            }
        }
        Ok(())
    }
}

fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::Text(text) => text.trim().parse().ok().map(Value::Number),
        _ => None,
    }
}

fn flag(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::Text(text) => match text.as_str() {
            "True" | "TRUE" | "true" => Some(Value::Bool(true)),
            "False" | "FALSE" | "false" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

fn same(found: Option<&Value>, expected: Option<&Value>, kind: Kind, precision: i32) -> bool {
    match (found, expected) {
        (None, None) => true,
        (Some(Value::Number(a)), Some(Value::Number(b))) if kind == Kind::Number => {
            rounded(*a, precision) == rounded(*b, precision)
        }
        // In Python, True equals 1.
        (Some(Value::Bool(flag)), Some(Value::Number(number)))
        | (Some(Value::Number(number)), Some(Value::Bool(flag))) => *number == f64::from(u8::from(*flag)),
        (found, expected) => found == expected,
    }
}

/// As numpy rounds: halves to even.
fn rounded(number: f64, precision: i32) -> f64 {
    let scale = 10f64.powi(precision);
    let scaled = (number * scale).round_ties_even() / scale;
    if scaled.is_finite() { scaled } else { number }
}
