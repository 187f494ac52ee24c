//! Levels: records, as the program reads them from files of any form.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::Kind;
use mageyard_domain::{FieldError, LevelRecords, RecordFacts};

/// The records of a kind of question.
pub(super) struct Records<K>(pub(super) PhantomData<K>);

impl<K: Kind> LevelRecords for Records<K> {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        K::matches(record)
    }

    fn read(&self, record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        K::facts(record)
    }
}

/// The record of a level.
pub(super) fn object(record: &str) -> Result<Map<String, Value>, FieldError> {
    serde_json::from_str(record).map_err(|error| FieldError::new("", format!("is not a record: {error}")))
}
