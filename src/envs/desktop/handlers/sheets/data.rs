//! `sheet_data`: the values of cells.

use std::collections::BTreeSet;

use super::frame::Frame;
use super::select::{Side, Workbooks};
use super::{Case, Finding, Flow, Options, Rules};
use crate::office::xlsx::{Position, Value};

/// The cells have the same values. Numbers may differ by half of the last of `precision` decimals (4 unless set); a text that
/// is a number equals that number; blanks around a text do not count; an empty text is an empty cell. A formula whose value is
/// not stored equals the same formula only. The released code reads both as pandas does: see [`Frame`].
pub(super) fn sheet_data(
    options: &Options<'_>,
    workbooks: &Workbooks<'_>,
    case: &mut Case<'_>,
) -> Result<Flow, Finding> {
    let precision = options.whole("precision")?.unwrap_or(4);
    let precision = i32::try_from(precision).map_err(|_| Finding::error("precision is too large"))?;
    let [found, expected] = workbooks.sides(options)?;
    match case.rules {
        Rules::Standard => compare(&found, &expected, precision).map(|()| Flow::Next),
        Rules::Code => {
            let Some(sheet) = found.sheet() else { return Ok(Flow::Done) };
            let expected = expected.sheet().ok_or_else(|| Finding::error("the second sheet is missing"))?;
            Frame::of(sheet).compare(&Frame::of(expected), precision).map(|()| Flow::Next)
        }
    }
}

fn compare(found: &Side<'_>, expected: &Side<'_>, precision: i32) -> Result<(), Finding> {
    let name = &found.required()?.name;
    let found = &found.required()?.cells;
    let expected = &expected.required()?.cells;
    let positions: BTreeSet<&Position> = found.keys().chain(expected.keys()).collect();
    for position in positions {
        let found = found.get(position).filter(|value| !is_empty(value));
        let expected = expected.get(position).filter(|value| !is_empty(value));
        let is_same = match (found, expected) {
            (None, None) => true,
            (Some(found), Some(expected)) => same(found, expected, precision),
            _ => false,
        };
        if is_same {
            continue;
        }
        let text = |value: Option<&Value>| value.map_or_else(|| "empty".to_owned(), Value::to_string);
        if let Some(Value::Formula(_)) = expected {
            return Err(Finding::Error(format!("the expected cell {position} has {}", text(expected))));
        }
        let place = format!("cell {position} of sheet {}", crate::office::quote(name));
        return Err(Finding::Fail(format!("{place} is {}, expected is {}", text(found), text(expected))));
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.trim().is_empty())
}

fn same(found: &Value, expected: &Value, precision: i32) -> bool {
    /// A tenth of a second, in days.
    const MOMENT: f64 = 1e-6;
    let close = |a: f64, b: f64| (a - b).abs() <= 0.5 / 10f64.powi(precision) || a == b;
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => close(*a, *b),
        (Value::Date(a), Value::Date(b)) => (a - b).abs() <= MOMENT,
        (Value::Text(text), Value::Number(number)) | (Value::Number(number), Value::Text(text)) => {
            text.trim().parse::<f64>().is_ok_and(|parsed| close(parsed, *number))
        }
        (Value::Text(a), Value::Text(b)) => a.trim() == b.trim(),
        (a, b) => a == b,
    }
}
