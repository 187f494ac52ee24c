//! A setting that would avoid an error of a server.

use serde_json::Value;

/// A setting that would avoid an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedSetting {
    /// Its name, such as `model.stream`.
    pub name: &'static str,
    /// The value.
    pub value: Value,
}
