//! Variables in task files, such as `${AS_ROOT}`: their names, and their values in an episode.

use mageyard_domain::{nearest_names, sanitize};
use serde_json::{Map, Value};

/// The names that a task may use.
pub const NAMES: [&str; 5] = ["AS_ROOT", "AS_HOME", "AS_TEST", "AS_GMAIL_RECIPIENT", "AS_GCALENDAR_ID"];

/// The values of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// `AS_ROOT`: the working folder, which has `data/`.
    pub root: String,
    /// `AS_HOME`: the home folder.
    pub home: String,
    /// `AS_TEST`: a text for tests of task files.
    pub test: String,
    /// `AS_GMAIL_RECIPIENT`: an address, if there is an account.
    pub gmail_recipient: Option<String>,
    /// `AS_GCALENDAR_ID`: a calendar, if there is an account.
    pub calendar: Option<String>,
}

impl Variables {
    fn value(&self, name: &str) -> Result<&str, String> {
        let without = || format!("${{{name}}} has no value here: it needs an account");
        match name {
            "AS_ROOT" => Ok(&self.root),
            "AS_HOME" => Ok(&self.home),
            "AS_TEST" => Ok(&self.test),
            "AS_GMAIL_RECIPIENT" => self.gmail_recipient.as_deref().ok_or_else(without),
            "AS_GCALENDAR_ID" => self.calendar.as_deref().ok_or_else(without),
            _ => Err(unknown(name)),
        }
    }

    /// A text with its variables replaced, once: a value is not read again.
    ///
    /// # Errors
    /// A variable is unknown or has no value.
    pub fn replace(&self, text: &str) -> Result<String, String> {
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, name, after)) = next(rest) {
            replaced.push_str(before);
            replaced.push_str(self.value(name)?);
            rest = after;
        }
        Ok(replaced + rest)
    }

    /// A value with the variables of all its texts replaced, keys included.
    ///
    /// # Errors
    /// A variable is unknown or has no value.
    pub fn replace_in(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => Value::String(self.replace(text)?),
            Value::Array(list) => {
                Value::Array(list.iter().map(|value| self.replace_in(value)).collect::<Result<_, _>>()?)
            }
            Value::Object(object) => Value::Object(self.replace_in_object(object)?),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        })
    }

    /// An object with the variables of all its texts replaced, keys included.
    ///
    /// # Errors
    /// A variable is unknown or has no value, or two keys become the same.
    pub fn replace_in_object(&self, object: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut replaced = Map::new();
        for (key, value) in object {
            let key = self.replace(key)?;
            if replaced.contains_key(&key) {
                return Err(format!("{} is there twice", sanitize(&key)));
            }
            replaced.insert(key, self.replace_in(value)?);
        }
        Ok(replaced)
    }
}

/// The next variable of a text: what is before it, its name, and what is after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("${")?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The names of the variables of a text.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, name, after) = next(rest)?;
        rest = after;
        Some(name)
    })
}

/// Refuses a text with a variable that is not known.
pub(super) fn check(text: &str) -> Result<(), String> {
    names(text).find(|name| !NAMES.contains(name)).map_or(Ok(()), |name| Err(unknown(name)))
}

fn unknown(name: &str) -> String {
    let nearest = nearest_names(name, NAMES);
    let known = if nearest.is_empty() { NAMES.to_vec() } else { nearest };
    format!("${{{}}} is not a variable; there is {}", sanitize(name), known.join(", "))
}
