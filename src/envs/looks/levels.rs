//! Levels: a record on each line, as JSON.

use serde_json::{Map, Value};

use super::record::FieldError;
use mageyard_domain::{Level, LevelError};

/// Reads a record and gives its title.
pub(super) type ReadTitle = fn(&Map<String, Value>) -> Result<Option<String>, FieldError>;

/// The levels of a text.
pub(super) fn read(text: &str, title: ReadTitle) -> Result<Vec<Level>, LevelError> {
    let mut levels = Vec::new();
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
        let wrong = |error: FieldError| LevelError { line, reason: words(&error) };
        let title = title(&object(row).map_err(wrong)?).map_err(wrong)?;
        levels.push(Level::from_text(levels.len() + 1, title.as_deref(), row.trim()));
    }
    Ok(levels)
}

/// The record of a level.
pub(super) fn object(record: &str) -> Result<Map<String, Value>, FieldError> {
    let wrong = |reason: String| FieldError { field: String::new(), reason };
    match serde_json::from_str(record) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(wrong("the record is not an object".to_owned())),
        Err(error) => Err(wrong(format!("the record is not JSON: {error}"))),
    }
}

/// The field and what is wrong with it.
pub(super) fn words(error: &FieldError) -> String {
    match error.field.as_str() {
        "" => error.reason.clone(),
        field => format!("{field}: {}", error.reason),
    }
}
