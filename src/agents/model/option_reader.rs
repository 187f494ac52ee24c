//! Reads single settings of the table `[model]`: texts, numbers and tables, with the error that names the setting.

use serde_json::Value;

use mageyard_domain::{OptionError, Options};

/// Reads single settings of the table; an absent one is its default.
pub(super) struct OptionReader<'a>(pub(super) &'a Options);

impl OptionReader<'_> {
    pub(super) fn text(&self, name: &str, default: &str) -> Result<String, OptionError> {
        match self.0.get(name) {
            None => Ok(default.to_owned()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(value) => Err(invalid(name, format!("{value} is not a text"))),
        }
    }

    /// The names and texts of a table.
    pub(super) fn table(&self, name: &str) -> Result<Vec<(String, String)>, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
        let rows = value.as_object().ok_or_else(|| invalid(name, "it must be a table of names and texts"))?;
        let text = |(row, value): (&String, &Value)| {
            let text =
                value.as_str().ok_or_else(|| invalid(name, format!("the value of {row} must be a text")))?;
            Ok((row.clone(), text.to_owned()))
        };
        rows.iter().map(text).collect()
    }

    pub(super) fn boolean(&self, name: &str, default: bool) -> Result<bool, OptionError> {
        let value = self.0.get(name).map_or(Some(default), Value::as_bool);
        value.ok_or_else(|| invalid(name, "it must be true or false"))
    }

    pub(super) fn integer(
        &self,
        name: &str,
        (least, most): (u32, u32),
        default: u32,
    ) -> Result<u32, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(default) };
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| invalid(name, format!("{value} is out of range, allowed is {least} to {most}")))
    }

    pub(super) fn float(
        &self,
        name: &str,
        (least, most): (f64, f64),
        default: f32,
    ) -> Result<f32, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(default) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        // The protocol type is f32.
        #[allow(clippy::cast_possible_truncation)]
        number
            .map(|number| number as f32)
            .ok_or_else(|| invalid(name, format!("{value} is out of range, allowed is {least} to {most}")))
    }
}

/// The error of one setting.
pub(super) fn invalid(name: &str, why: impl Into<String>) -> OptionError {
    OptionError { name: name.to_owned(), why: why.into() }
}
