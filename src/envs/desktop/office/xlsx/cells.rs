//! Cells and their values.

use std::collections::BTreeMap;
use std::fmt;

use super::formats::Formats;
use crate::office::Element;

/// Where a cell is, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// The row, at most 1,048,576.
    pub(crate) row: u32,
    /// The column, at most 16,384.
    pub(crate) column: u32,
}

/// The last row of a sheet.
const LAST_ROW: u32 = 1 << 20;
/// The last column of a sheet.
const LAST_COLUMN: u32 = 1 << 14;

impl Position {
    /// Reads a name such as `B4`, dollars allowed.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let name = name.replace('$', "");
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, digits) = name.split_at(digits);
        if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        {
            return None;
        }
        let value = |column: u32, byte: u8| column * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1;
        let column = letters.bytes().fold(0, value);
        let row = digits.parse().ok()?;
        ((1..=LAST_ROW).contains(&row) && column <= LAST_COLUMN).then_some(Self { row, column })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = Vec::new();
        let mut rest = self.column;
        while rest > 0 {
            rest -= 1;
            letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or_default()));
            rest /= 26;
        }
        let letters: String = letters.iter().rev().collect();
        write!(f, "{letters}{}", self.row)
    }
}

/// What a cell has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Number(f64),
    /// A date or a time: days since the start of the calendar of the workbook.
    Date(f64),
    /// A date as a text of ISO 8601.
    DateText(String),
    /// A text.
    Text(String),
    /// true or false.
    Bool(bool),
    /// An error, such as `#DIV/0!`.
    Error(String),
    /// A formula whose value was not stored: nobody computed it.
    Formula(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Date(days) => write!(f, "the date {days}"),
            Self::DateText(text) => write!(f, "the date {text:?}"),
            Self::Text(text) => f.write_str(&crate::office::quote(text)),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Error(text) => write!(f, "the error {text:?}"),
            Self::Formula(text) => {
                write!(f, "the formula {} without a stored value", crate::office::quote(text))
            }
        }
    }
}

pub(super) fn shared_strings(root: &Element) -> Vec<String> {
    root.children("s:si").map(rich_text).collect()
}

/// The text of a string, without the hints of pronunciation.
fn rich_text(string: &Element) -> String {
    let mut text = String::new();
    for element in string.elements() {
        if element.is("s:t") {
            text.push_str(&element.text());
        } else if element.is("s:r") {
            element.children("s:t").for_each(|part| text.push_str(&part.text()));
        }
    }
    text
}

pub(super) fn read(
    root: &Element,
    strings: &[String],
    formats: &Formats,
) -> Result<BTreeMap<Position, Value>, String> {
    let mut cells = BTreeMap::new();
    let mut row = 0;
    for element in root.child("s:sheetData").into_iter().flat_map(|data| data.children("s:row")) {
        row = match element.attr("r") {
            Some(number) => number.parse().map_err(|_| format!("{number:?} is not the number of a row"))?,
            None => row + 1,
        };
        if !(1..=LAST_ROW).contains(&row) {
            return Err(format!("{row} is not the number of a row"));
        }
        let mut column = 0;
        for cell in element.children("s:c") {
            let position = match cell.attr("r") {
                Some(name) => {
                    Position::parse(name).ok_or_else(|| format!("{name:?} is not the name of a cell"))?
                }
                None => Position { row, column: column + 1 },
            };
            column = position.column;
            if let Some(value) =
                value(cell, strings, formats).map_err(|error| format!("{position}: {error}"))?
            {
                cells.insert(position, value);
            }
        }
    }
    Ok(cells)
}

fn value(cell: &Element, strings: &[String], formats: &Formats) -> Result<Option<Value>, String> {
    let kind = cell.attr("t").unwrap_or("n");
    if kind == "inlineStr" {
        return Ok(cell.child("s:is").map(|string| Value::Text(rich_text(string))));
    }
    let Some(text) = cell.child("s:v").map(Element::text).filter(|text| !text.is_empty() || kind == "str")
    else {
        return Ok(cell.child("s:f").map(|formula| Value::Formula(formula.text())));
    };
    let value = match kind {
        "s" => {
            let index = text.trim().parse::<usize>().ok();
            let string = index.and_then(|index| strings.get(index));
            Value::Text(string.ok_or_else(|| format!("the shared string {text:?} is missing"))?.clone())
        }
        "str" => Value::Text(text),
        "b" => Value::Bool(matches!(text.trim(), "1" | "true")),
        "e" => Value::Error(text),
        "d" => Value::DateText(text),
        _ => {
            let number: f64 = text.trim().parse().map_err(|_| format!("{text:?} is not a number"))?;
            if formats.is_date(cell.attr("s")) { Value::Date(number) } else { Value::Number(number) }
        }
    };
    Ok(Some(value))
}
