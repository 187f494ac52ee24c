//! Parameters of procedures: what a handler takes, and what a task gives.

use mageyard_domain::nearest_names;
use serde_json::{Map, Value};

use super::Finding;
use crate::office::quote;

/// A parameter of a handler.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name in task files.
    pub name: &'static str,
    /// What it can be.
    pub kind: ParamType,
    /// Whether a task must give it.
    pub required: bool,
}

impl Param {
    /// A parameter that a task must give.
    pub const fn required(name: &'static str, kind: ParamType) -> Self {
        Self { name, kind, required: true }
    }

    /// A parameter that a task may leave out.
    pub const fn optional(name: &'static str, kind: ParamType) -> Self {
        Self { name, kind, required: false }
    }
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    /// The path of a file that the agent makes or changes.
    Made,
    /// The path of a file to compare with, or to copy from: a fixture.
    Reference,
    /// A text.
    Text,
    /// A text or a list of texts, such as a command.
    Command,
    /// true or false.
    Flag,
    /// A number.
    Number,
    /// A list.
    List,
    /// An object.
    Table,
    /// An object of options that are true or false. A name that is not among these is an error.
    Flags(&'static [&'static str]),
}

/// Why an object with a name that is not known is refused, with the names that are near it, or all.
pub(crate) fn unknown_name(given: &str, known: &[&str]) -> String {
    let nearest = nearest_names(given, known.iter().copied());
    let shown = if nearest.is_empty() { known.join(", ") } else { nearest.join(", ") };
    format!("{} is not known; there is {shown}", quote(given))
}

/// The parameters that a task gives, with their variables replaced.
#[derive(Clone, Debug)]
pub struct Params<'a>(pub &'a Map<String, Value>);

impl<'a> Params<'a> {
    /// The value, if the task gives it.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text.
    ///
    /// # Errors
    /// It is missing or no text.
    pub fn text(&self, name: &str) -> Result<&'a str, Finding> {
        self.get(name).and_then(Value::as_str).ok_or_else(|| wrong(name, "a text"))
    }

    /// A number.
    ///
    /// # Errors
    /// It is missing or no number.
    pub fn number(&self, name: &str) -> Result<f64, Finding> {
        self.get(name).and_then(Value::as_f64).ok_or_else(|| wrong(name, "a number"))
    }

    /// true or false.
    ///
    /// # Errors
    /// It is missing or neither.
    pub fn flag(&self, name: &str) -> Result<bool, Finding> {
        self.get(name).and_then(Value::as_bool).ok_or_else(|| wrong(name, "true or false"))
    }

    /// A list.
    ///
    /// # Errors
    /// It is missing or no list.
    pub fn list(&self, name: &str) -> Result<&'a [Value], Finding> {
        self.get(name).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    /// An object.
    ///
    /// # Errors
    /// It is missing or no object.
    pub fn table(&self, name: &str) -> Result<&'a Map<String, Value>, Finding> {
        self.get(name).and_then(Value::as_object).ok_or_else(|| wrong(name, "an object"))
    }
}

fn wrong(name: &str, expected: &str) -> Finding {
    Finding::Error(format!("the parameter {name} must be {expected}"))
}
