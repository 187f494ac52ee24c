//! The settings of the log file.

use serde::de::{Error, IntoDeserializer};
use serde::{Deserialize, Deserializer};

/// The log file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    /// The least severe events that are written.
    pub level: LogLevel,
    /// Other levels for the modules below these paths.
    #[serde(deserialize_with = "log_filter")]
    pub filter: Vec<(String, LogLevel)>,
}

/// The severity of log events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of every log")]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// Levels of modules, written as `path=level` and separated by commas.
fn log_filter<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, LogLevel)>, D::Error> {
    let text = String::deserialize(from)?;
    let rows = text.split(',').map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| {
        let wrong = || {
            D::Error::custom(format!("{row:?} is not a module and a level, such as mageyard::agents=debug"))
        };
        let (path, level) = row.split_once('=').ok_or_else(wrong)?;
        let path = path.trim();
        let level = level.trim();
        let valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        if path.is_empty() || !path.chars().all(valid) {
            return Err(wrong());
        }
        Ok((path.to_owned(), LogLevel::deserialize(level.into_deserializer())?))
    })
    .collect()
}
