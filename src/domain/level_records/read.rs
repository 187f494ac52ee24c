//! Reads one record, and all records of a text.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{FieldError, LevelRecords, RECORD_LIMIT, RawRecord, RecordFacts, RecordSplitter};
use crate::{Level, LevelError};

/// A record as an object, and its text in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordText<'a> {
    /// The text: that of the file, or JSON made of JSON5.
    pub text: Cow<'a, str>,
    /// Its fields.
    pub fields: Map<String, Value>,
}

/// A record that can be a level.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRecord<'a> {
    /// The text in JSON.
    pub text: Cow<'a, str>,
    /// What it says.
    pub facts: RecordFacts,
}

/// Why a record cannot be a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong with which field.
    pub error: FieldError,
}

impl From<RecordFault> for LevelError {
    fn from(fault: RecordFault) -> Self {
        Self { line: fault.line, reason: fault.error.to_string() }
    }
}

/// The object of a piece of a file.
pub fn read_object<'a>(piece: &RawRecord<'a>) -> Result<RecordText<'a>, RecordFault> {
    let fault = |line, reason: String| RecordFault { line, error: FieldError::new("", reason) };
    let Some(bytes) = piece.bytes else {
        let reason =
            format!("the record has {} MiB; the limit is {} MiB", piece.length >> 20, RECORD_LIMIT >> 20);
        return Err(fault(piece.line, reason));
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        fault(
            piece.line,
            format!("is not UTF-8 text: invalid byte {} of the record", error.valid_up_to() + 1),
        )
    })?;
    let error = match serde_json::from_str(text) {
        Ok(fields) => return Ok(RecordText { text: text.into(), fields }),
        Err(error) => error,
    };
    let converted = super::json5::to_json(text);
    let read = converted.and_then(|json| Some((serde_json::from_str(&json).ok()?, json)));
    let (fields, json) = read.ok_or_else(|| {
        let what = if text.starts_with('{') { error.to_string() } else { "is not a JSON object".to_owned() };
        // A text that is not closed ends with its line, which the parser sees in column 0 of the next one.
        let below = error.line().saturating_sub(if error.column() == 0 { 2 } else { 1 });
        fault(piece.line + below, without_line(what))
    })?;
    Ok(RecordText { text: json.into(), fields })
}

/// A message of the parser with only the column of its place: its line is not that of the file.
fn without_line(message: String) -> String {
    match message.rsplit_once(" at line ") {
        Some((what, place)) => match place.split_once(" column ") {
            Some((_, column)) => format!("{what} in column {column}"),
            None => what.to_owned(),
        },
        None => message,
    }
}

impl<'a> RecordText<'a> {
    /// The record as a level of this environment; `piece` is what it was read from.
    pub fn read(
        self,
        piece: &RawRecord<'_>,
        records: &dyn LevelRecords,
    ) -> Result<ReadRecord<'a>, RecordFault> {
        let mut facts = records.read(&self.fields).map_err(|error| {
            let line = piece.line + field_line(piece.bytes.unwrap_or_default(), &error.field);
            RecordFault { line, error }
        })?;
        // A title is one line of a list.
        facts.title = facts.title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        facts.title = facts.title.filter(|title| !title.is_empty());
        Ok(ReadRecord { text: self.text, facts })
    }
}

/// How many lines below its beginning a record has this field, if that is plain.
fn field_line(record: &[u8], field: &str) -> usize {
    let name = format!("\"{field}\"");
    let found = record.windows(name.len()).position(|part| part == name.as_bytes());
    found.map_or(0, |at| record[..at].iter().filter(|byte| **byte == b'\n').count())
}

/// The levels of a text of records, such as a shipped set. They name no file of the user.
pub fn parse_records(text: &str, records: &dyn LevelRecords) -> Result<Vec<Level>, LevelError> {
    read_all(text, records).into_iter().collect::<Result<_, _>>().map_err(LevelError::from)
}

/// Every error of a text of records.
pub fn record_errors(text: &str, records: &dyn LevelRecords) -> Vec<LevelError> {
    read_all(text, records).into_iter().filter_map(|read| read.err().map(LevelError::from)).collect()
}

fn read_all(text: &str, records: &dyn LevelRecords) -> Vec<Result<Level, RecordFault>> {
    let mut levels: Vec<Result<Level, RecordFault>> = Vec::new();
    let mut each = |piece: RawRecord<'_>| {
        let number = levels.len() + 1;
        let read = read_object(&piece).and_then(|object| object.read(&piece, records));
        levels.push(
            read.map(|read| Level::from_text(number, read.facts.title.as_deref(), read.text.into_owned())),
        );
    };
    let mut splitter = RecordSplitter::default();
    splitter.feed(text.as_bytes(), &mut each);
    splitter.finish(&mut each);
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Named;

    impl LevelRecords for Named {
        fn matches(&self, record: &Map<String, Value>) -> bool {
            record.contains_key("name")
        }

        fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
            let name = record.get("name").and_then(Value::as_str);
            let name = name.ok_or_else(|| FieldError::new("name", "must be a text"))?;
            Ok(RecordFacts { title: Some(name.to_owned()), files: Vec::new() })
        }
    }

    #[test]
    fn a_text_of_records_is_a_list_of_levels_with_their_exact_text() {
        let levels = parse_records("{\"name\": \"a\\n b\"}\n{ \"name\":\"c\" , \"x\":1.50}", &Named).unwrap();
        let found: Vec<_> =
            levels.iter().map(|level| (level.number, level.label(), level.text().to_owned())).collect();
        let expected = [
            (1, "a b".to_owned(), "{\"name\": \"a\\n b\"}".to_owned()),
            (2, "c".to_owned(), "{ \"name\":\"c\" , \"x\":1.50}".to_owned()),
        ];
        assert_eq!(found, expected);
        let again = parse_records(levels[1].text(), &Named).unwrap();
        assert_eq!(again[0].source, levels[1].source);
    }

    #[test]
    fn json5_becomes_json() {
        let levels = parse_records("[{name: 'a', /* b */},]", &Named).unwrap();
        assert!(serde_json::from_str::<Value>(levels[0].text()).is_ok(), "{}", levels[0].text());
    }

    #[test]
    fn errors_have_line_and_field() {
        let text = "{\"name\":\"a\"}\n{\"name\":3}\n{\"name\":\n{\n  \"x\": 1,\n  \"name\": 3\n}\nhello\n{\"x\": tru}";
        let text = text.replace("{\"name\":\n", "");
        let errors: Vec<_> =
            record_errors(&text, &Named).into_iter().map(|error| error.to_string()).collect();
        let expected = [
            "line 2: name: must be a text",
            "line 5: name: must be a text",
            "line 7: is not a JSON object",
            "line 8: expected ident in column 10",
        ];
        assert_eq!(errors, expected);
        assert_eq!(parse_records(&text, &Named).unwrap_err().to_string(), expected[0]);
    }
}
