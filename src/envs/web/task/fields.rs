//! The fields of a JSON object, read with errors that name the field.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

/// An object and its place in the record.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// What is before the names of its fields, such as `evaluation[2].content.`; empty for the record itself.
    place: &'a str,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>, place: &'a str) -> Self {
        Self { object, place }
    }

    pub(crate) fn error(&self, name: &str, reason: impl Into<String>) -> FieldError {
        FieldError::new(self.path(name), reason)
    }

    /// The name of a field with its place.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.place)
    }

    /// The value; `None` if it is missing or null.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn required(&self, name: &str) -> Result<&'a Value, FieldError> {
        self.value(name).ok_or_else(|| self.error(name, "is missing"))
    }

    /// A text, which may be empty.
    pub(crate) fn text(&self, name: &str) -> Result<String, FieldError> {
        self.required(name)?.as_str().map(str::to_owned).ok_or_else(|| self.error(name, "is not a text"))
    }

    /// A text with more than blanks.
    pub(crate) fn nonempty_text(&self, name: &str) -> Result<String, FieldError> {
        let text = self.text(name)?;
        if text.trim().is_empty() { Err(self.error(name, "is empty")) } else { Ok(text) }
    }

    /// A text that may be missing.
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>, FieldError> {
        self.value(name).map(|_| self.text(name)).transpose()
    }

    /// A whole number from 1.
    pub(crate) fn count(&self, name: &str) -> Result<u32, FieldError> {
        let count = self.required(name)?.as_u64().and_then(|count| u32::try_from(count).ok());
        count.filter(|count| *count > 0).ok_or_else(|| self.error(name, "is not a whole number from 1"))
    }

    /// An object.
    pub(crate) fn object(&self, name: &str) -> Result<&'a Map<String, Value>, FieldError> {
        self.required(name)?.as_object().ok_or_else(|| self.error(name, "is not an object"))
    }

    /// A list of objects, which may be empty.
    pub(crate) fn objects(&self, name: &str) -> Result<Vec<&'a Map<String, Value>>, FieldError> {
        let list = self.required(name)?.as_array().map(|list| list.iter().map(Value::as_object).collect());
        list.flatten().ok_or_else(|| self.error(name, "is not a list of objects"))
    }

    /// The names of fields that are not among these, with their places.
    pub(crate) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let names = self.object.keys().filter(|name| !known.contains(&name.as_str()));
        names.map(|name| self.path(name)).collect()
    }
}
