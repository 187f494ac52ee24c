//! The fields of a record, read with an error that names the field.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

/// An object of a record and its place.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// What stands before the names of its fields, such as `actions[2].`.
    place: &'a str,
}

impl<'a> Fields<'a> {
    pub(super) fn new(object: &'a Map<String, Value>, place: &'a str) -> Self {
        Self { object, place }
    }

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

    /// A text that is not empty.
    pub(super) fn text(&self, name: &str) -> Result<String, FieldError> {
        let text = self.required(name)?.as_str().filter(|text| !text.trim().is_empty());
        text.map(str::to_owned).ok_or_else(|| self.error(name, "is not a text"))
    }

    /// A text that may be missing or empty.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, FieldError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| self.error(name, "is not a text"))?;
        Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
    }

    pub(super) fn switch(&self, name: &str) -> Result<bool, FieldError> {
        self.required(name)?.as_bool().ok_or_else(|| self.error(name, "is neither true nor false"))
    }

    /// A list of texts, at least one.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, FieldError> {
        let wrong = || self.error(name, "is not a list of texts");
        let list = self.required(name)?.as_array().filter(|list| !list.is_empty()).ok_or_else(wrong)?;
        list.iter().map(|one| one.as_str().map(str::to_owned)).collect::<Option<_>>().ok_or_else(wrong)
    }

    /// A list of objects, at least one.
    pub(super) fn objects(&self, name: &str) -> Result<Vec<&'a Map<String, Value>>, FieldError> {
        let wrong = || self.error(name, "is not a list of objects");
        let list = self.required(name)?.as_array().filter(|list| !list.is_empty()).ok_or_else(wrong)?;
        list.iter().map(Value::as_object).collect::<Option<_>>().ok_or_else(wrong)
    }

    /// Left, top, right and bottom in pixels; `None` if it is missing or an empty list.
    pub(super) fn area(&self, name: &str) -> Result<Option<Area>, FieldError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        if value.as_array().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let numbers = numbers::<4>(value).ok_or_else(|| self.error(name, "is not a list of four numbers"))?;
        Ok(Some(Area(numbers)))
    }

    /// A width and a height in whole pixels.
    pub(super) fn size(&self, name: &str) -> Result<Option<(u32, u32)>, FieldError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let whole =
            |value: &Value| value.as_u64().and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
        match value.as_array().map(Vec::as_slice) {
            Some([width, height]) => whole(width).zip(whole(height)).map(Some),
            _ => None,
        }
        .ok_or_else(|| self.error(name, "is not a width and a height in pixels"))
    }

    /// The names of fields that are not known.
    pub(super) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let names = self.object.keys().filter(|name| !known.contains(&name.as_str()));
        names.map(|name| format!("{}{name}", self.place)).collect()
    }
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let list = value.as_array()?;
    let numbers: Vec<f64> = list.iter().map(Value::as_f64).collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|all: &[f64; N]| all.iter().all(|one| one.is_finite()))
}

/// An area of a picture: left, top, right and bottom in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area(pub(crate) [f64; 4]);

impl Area {
    /// Whether a place is strictly inside.
    pub(crate) fn contains(self, x: f64, y: f64) -> bool {
        let Self([left, top, right, bottom]) = self;
        left < x && x < right && top < y && y < bottom
    }

    /// The distance of a place that is outside, in pixels.
    pub(crate) fn distance(self, x: f64, y: f64) -> f64 {
        let Self([left, top, right, bottom]) = self;
        let beside = |at: f64, low: f64, high: f64| (low - at).max(at - high).max(0.0);
        beside(x, left, right).hypot(beside(y, top, bottom))
    }

    pub(crate) fn center(self) -> (f64, f64) {
        let Self([left, top, right, bottom]) = self;
        (f64::midpoint(left, right), f64::midpoint(top, bottom))
    }

    pub(crate) fn is_empty(self) -> bool {
        let Self([left, top, right, bottom]) = self;
        left >= right || top >= bottom
    }

    /// Whether all of it is in a picture of this size.
    pub(crate) fn is_within(self, (width, height): (u32, u32)) -> bool {
        let Self([left, top, right, bottom]) = self;
        left >= 0.0 && top >= 0.0 && right <= f64::from(width) && bottom <= f64::from(height)
    }
}
