//! The recorded steps of a task.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

use super::Fields;
use super::function::unknown;

/// The verbs of actions (`WebCanvas`, table 7 and released code).
pub const VERBS: [&str; 13] = [
    "goto",
    "google_search",
    "click",
    "hover",
    "fill_form",
    "fill_search",
    "select_option",
    "switch_tab",
    "go_back",
    "scroll_down",
    "scroll_up",
    "cache_data",
    "get_final_answer",
];

/// The fields of a step.
pub(super) const KNOWN: [&str; 3] = ["action", "selector", "argument"];

/// A recorded step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowStep {
    /// One of [`VERBS`].
    pub action: String,
    /// CSS of the element, for verbs that choose one.
    pub selector: Option<String>,
    /// The text, the address, the option or the number of a tab, for verbs that have one.
    pub argument: Option<String>,
}

impl WorkflowStep {
    pub(super) fn read(object: &Map<String, Value>, place: &str) -> Result<Self, FieldError> {
        let fields = Fields::new(object, place);
        let action = fields.text("action")?;
        if !VERBS.contains(&action.as_str()) {
            return Err(fields.error("action", unknown(&action, VERBS.into_iter())));
        }
        let argument = match fields.value("argument") {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => fields.optional_text("argument")?,
        };
        Ok(Self { action, selector: fields.optional_text("selector")?, argument })
    }
}
