//! Options of a procedure: a table of which every name must be known.

use mageyard_domain::nearest_names;
use serde_json::{Map, Value};

use crate::handlers::{Finding, Params};
use crate::office::quote;

/// A table of options that may be missing.
#[derive(Clone, Copy)]
pub(in crate::handlers) struct Options<'a> {
    table: Option<&'a Map<String, Value>>,
    param: &'static str,
}

/// Two tasks of the suite give this, which nothing reads.
const UNREAD: &str = "ignore_space";

impl<'a> Options<'a> {
    /// The options in a parameter.
    ///
    /// # Errors
    /// It is not a table, or has a name that is not known.
    pub(in crate::handlers) fn read(
        params: &Params<'a>,
        param: &'static str,
        known: &[&str],
    ) -> Result<Self, Finding> {
        let table = if params.get(param).is_some() { Some(params.table(param)?) } else { None };
        Self::of(table, param, known)
    }

    /// The options in a table.
    ///
    /// # Errors
    /// It has a name that is not known.
    pub(in crate::handlers) fn of(
        table: Option<&'a Map<String, Value>>,
        param: &'static str,
        known: &[&str],
    ) -> Result<Self, Finding> {
        let is_unknown = |name: &&str| *name != UNREAD && !known.contains(name);
        let names = table.into_iter().flat_map(Map::keys).map(String::as_str);
        let unknown: Vec<&str> = names.filter(is_unknown).collect();
        let Some(first) = unknown.first() else { return Ok(Self { table, param }) };
        let nearest = nearest_names(first, known.iter().copied());
        let shown = if nearest.is_empty() { known.join(", ") } else { nearest.join(", ") };
        let unknown: Vec<String> = unknown.into_iter().map(quote).collect();
        Err(Finding::Error(format!("unknown names in {param}: {}; there is {shown}", unknown.join(", "))))
    }

    /// The names in the table.
    pub(in crate::handlers) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.table.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// The value, if the table has it.
    pub(in crate::handlers) fn get(&self, name: &str) -> Option<&'a Value> {
        self.table?.get(name).filter(|value| !value.is_null())
    }

    /// true or false.
    ///
    /// # Errors
    /// It is neither.
    pub(in crate::handlers) fn flag(&self, name: &str, default: bool) -> Result<bool, Finding> {
        self.get(name)
            .map_or(Ok(default), |value| value.as_bool().ok_or_else(|| self.wrong(name, "true or false")))
    }

    /// A number.
    ///
    /// # Errors
    /// It is none.
    pub(in crate::handlers) fn number(&self, name: &str, default: f64) -> Result<f64, Finding> {
        self.get(name).map_or(Ok(default), |value| value.as_f64().ok_or_else(|| self.wrong(name, "a number")))
    }

    /// A whole number, if the table has it.
    ///
    /// # Errors
    /// It is none.
    pub(in crate::handlers) fn whole(&self, name: &str) -> Result<Option<i64>, Finding> {
        let whole = |value: &Value| value.as_i64().ok_or_else(|| self.wrong(name, "a whole number"));
        self.get(name).map(whole).transpose()
    }

    /// A text.
    ///
    /// # Errors
    /// It is none.
    pub(in crate::handlers) fn text(&self, name: &str, default: &'a str) -> Result<&'a str, Finding> {
        self.get(name).map_or(Ok(default), |value| value.as_str().ok_or_else(|| self.wrong(name, "a text")))
    }

    fn wrong(&self, name: &str, expected: &str) -> Finding {
        Finding::Error(format!("{}.{name} must be {expected}", self.param))
    }
}
