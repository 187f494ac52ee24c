//! The fields of a JSON object, read with errors that name the field.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

/// An object and its place in the record.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) object: &'a Map<String, Value>,
    /// What is before the names of its fields, such as `eval_procedure[2].params.`; empty for the record itself.
    pub(super) place: &'a str,
}

impl<'a> Fields<'a> {
    pub(super) fn error(&self, name: &str, reason: impl Into<String>) -> FieldError {
        FieldError::new(format!("{}{name}", self.place), reason)
    }

    /// The value; `None` if it is missing or null.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn required(&self, name: &str) -> Result<&'a Value, FieldError> {
        self.value(name).ok_or_else(|| self.error(name, "is missing"))
    }

    /// A text with more than blanks.
    pub(super) fn text(&self, name: &str) -> Result<&'a str, FieldError> {
        let text = self.required(name)?.as_str().ok_or_else(|| self.error(name, "is not a text"))?;
        if text.trim().is_empty() { Err(self.error(name, "is empty")) } else { Ok(text) }
    }

    /// A text that may be missing.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, FieldError> {
        self.value(name).map(|_| self.text(name).map(str::to_owned)).transpose()
    }

    /// true or false.
    pub(super) fn flag(&self, name: &str) -> Result<bool, FieldError> {
        self.required(name)?.as_bool().ok_or_else(|| self.error(name, "is not true or false"))
    }

    /// A whole number from 0.
    pub(super) fn count(&self, name: &str) -> Result<u32, FieldError> {
        let count = self.required(name)?.as_u64().and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| self.error(name, "is not a whole number from 0"))
    }

    /// A number of seconds above 0.
    pub(super) fn seconds(&self, name: &str) -> Result<std::time::Duration, FieldError> {
        let seconds = self.required(name)?.as_f64().filter(|seconds| *seconds > 0.0);
        let duration = seconds.and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
        duration.ok_or_else(|| self.error(name, "is not a number of seconds above 0"))
    }

    /// An object.
    pub(super) fn object(&self, name: &str) -> Result<&'a Map<String, Value>, FieldError> {
        self.required(name)?.as_object().ok_or_else(|| self.error(name, "is not an object"))
    }

    /// A list of objects; empty if it is missing.
    pub(super) fn objects(&self, name: &str) -> Result<Vec<&'a Map<String, Value>>, FieldError> {
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let list = value.as_array().and_then(|list| list.iter().map(Value::as_object).collect());
        list.ok_or_else(|| self.error(name, "is not a list of objects"))
    }

    /// The names of fields that are not among these.
    pub(super) fn unknown(&self, known: &[&str]) -> Vec<&'a str> {
        self.object.keys().map(String::as_str).filter(|name| !known.contains(name)).collect()
    }
}
