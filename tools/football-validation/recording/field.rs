//! A value of a recording together with the place where it stands.

use serde_json::Value;

use super::RecordingError;

/// A value and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    value: &'a Value,
    above: Option<(&'a Field<'a>, Name)>,
}

/// The last part of a place.
#[derive(Clone, Copy, Debug)]
enum Name {
    Key(&'static str),
    Index(usize),
}

impl<'a> Field<'a> {
    /// The whole file.
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, above: None }
    }

    /// The element of an object.
    pub(super) fn key(&'a self, key: &'static str) -> Result<Self, RecordingError> {
        self.optional(key)?.ok_or_else(|| RecordingError::Missing { field: self.below(Name::Key(key)) })
    }

    /// The element of an object, if it has one; `null` is none.
    pub(super) fn optional(&'a self, key: &'static str) -> Result<Option<Self>, RecordingError> {
        let object = self.value.as_object().ok_or_else(|| self.needs("an object"))?;
        let value = object.get(key).filter(|value| !value.is_null());
        Ok(value.map(|value| Self { value, above: Some((self, Name::Key(key))) }))
    }

    /// The elements of a list.
    pub(super) fn list(&'a self) -> Result<impl ExactSizeIterator<Item = Self>, RecordingError> {
        let list = self.value.as_array().ok_or_else(|| self.needs("a list"))?;
        let element = |(index, value)| Self { value, above: Some((self, Name::Index(index))) };
        Ok(list.iter().enumerate().map(element))
    }

    /// The numbers of a list of exactly this length.
    pub(super) fn numbers<const N: usize>(&self) -> Result<[f64; N], RecordingError> {
        let list = self.list()?;
        let length = RecordingError::Length { field: self.place(), found: list.len(), needs: N };
        let numbers: Result<Vec<f64>, _> = list.map(|element| element.number()).collect();
        numbers?.try_into().map_err(|_| length)
    }

    pub(super) fn number(&self) -> Result<f64, RecordingError> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.needs("a number"))
    }

    pub(super) fn whole(&self) -> Result<u32, RecordingError> {
        let whole = self.value.as_u64().and_then(|number| u32::try_from(number).ok());
        whole.ok_or_else(|| self.needs("a whole number from 0"))
    }

    pub(super) fn code(&self) -> Result<u8, RecordingError> {
        let code = self.value.as_u64().and_then(|number| u8::try_from(number).ok());
        code.ok_or_else(|| self.needs("a whole number from 0 to 255"))
    }

    pub(super) fn seed(&self) -> Result<u64, RecordingError> {
        self.value.as_u64().ok_or_else(|| self.needs("a whole number from 0"))
    }

    pub(super) fn text(&self) -> Result<&'a str, RecordingError> {
        self.value.as_str().ok_or_else(|| self.needs("a text"))
    }

    pub(super) fn flag(&self) -> Result<bool, RecordingError> {
        let flag = self.value.as_bool().or_else(|| Some(self.value.as_u64()? != 0));
        flag.ok_or_else(|| self.needs("true or false"))
    }

    /// An index of a player, or −1.
    pub(super) fn index(&self) -> Result<Option<usize>, RecordingError> {
        match self.value.as_i64() {
            Some(-1) => Ok(None),
            Some(index) => usize::try_from(index).map(Some).map_err(|_| self.needs("an index from -1")),
            None => Err(self.needs("an index from -1")),
        }
    }

    pub(super) fn needs(&self, needs: &'static str) -> RecordingError {
        RecordingError::Value { field: self.place(), needs }
    }

    pub(super) fn length(&self, found: usize, needs: usize) -> RecordingError {
        RecordingError::Length { field: self.place(), found, needs }
    }

    fn below(&self, name: Name) -> String {
        let place = if self.above.is_some() { self.place() } else { String::new() };
        match name {
            Name::Key(key) if place.is_empty() => key.to_owned(),
            Name::Key(key) => format!("{place}.{key}"),
            Name::Index(index) => format!("{place}[{index}]"),
        }
    }

    fn place(&self) -> String {
        self.above.map_or_else(|| "the file".to_owned(), |(above, name)| above.below(name))
    }
}
