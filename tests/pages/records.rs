//! Levels as records: an object with the keys of a level, and perhaps a picture that is shown beside the page.

use mageyard_domain::{FieldError, LevelRecords, NamedFile, NamedForm, RecordFacts};
use serde_json::{Map, Value};

use super::level::PageLevel;

/// Reads records with a `field`.
pub(super) struct PageRecords;

impl LevelRecords for PageRecords {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        record.contains_key("field")
    }

    fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        PageLevel::parse(&block(record)).map_err(|error| {
            let field = record.keys().nth(error.line - 1).cloned().unwrap_or_default();
            FieldError::new(field, error.reason)
        })?;
        let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
        let size = record.get("size").and_then(|size| serde_json::from_value(size.clone()).ok());
        let named = |path| NamedFile { field: "image".into(), path, form: NamedForm::Picture { size } };
        Ok(RecordFacts { title: text("title"), files: text("image").map(named).into_iter().collect() })
    }
}

/// The record of a level in the lines of other levels.
pub(super) fn block(record: &Map<String, Value>) -> String {
    let line = |(key, value): (&String, &Value)| match value {
        Value::String(text) => format!("{key} {text}\n"),
        value => format!("{key} {value}\n"),
    };
    record.iter().map(line).collect()
}
