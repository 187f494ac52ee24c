//! Why an action is not allowed, as a sentence that names the action, the parameter, what was given and what is
//! allowed.

use thiserror::Error;

/// The maximum number of names in a message.
const MAX_NAMES: usize = 40;

/// The maximum length in characters of what was given, in a message.
const MAX_GIVEN: usize = 60;

/// Why an action is not allowed. The texts in it are short and safe to display.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ActionError {
    /// The space has no action of this name.
    #[error("{name:?} is not an action here; the actions are {known}")]
    Unknown {
        /// The name as given.
        name: String,
        /// The allowed names, separated by commas.
        known: String,
    },
    /// A required parameter has no argument.
    #[error("{action} needs the parameter {parameter}: {expected}")]
    Missing {
        /// The action.
        action: String,
        /// The parameter.
        parameter: String,
        /// What is allowed.
        expected: String,
    },
    /// The action has no such parameter.
    #[error("{action} has no parameter {parameter:?}; {known}")]
    UnknownParameter {
        /// The action.
        action: String,
        /// The parameter as given.
        parameter: String,
        /// The parameters that it has, as a clause.
        known: String,
    },
    /// An argument is of the wrong kind, or outside its range.
    #[error("{action}: {parameter} must be {expected}, not {given}")]
    Invalid {
        /// The action.
        action: String,
        /// The parameter.
        parameter: String,
        /// The argument as given.
        given: String,
        /// What is allowed.
        expected: String,
    },
    /// A parameter has two arguments.
    #[error("{action}: {parameter} is given twice")]
    Duplicate {
        /// The action.
        action: String,
        /// The parameter.
        parameter: String,
    },
    /// The written form is wrong.
    #[error("{action}: {why}; write {usage}")]
    Syntax {
        /// The action.
        action: String,
        /// What is wrong.
        why: &'static str,
        /// The action with its parameters.
        usage: String,
    },
}

impl ActionError {
    /// The name of the wrong parameter, if the error is about one.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::Missing { parameter, .. }
            | Self::UnknownParameter { parameter, .. }
            | Self::Invalid { parameter, .. }
            | Self::Duplicate { parameter, .. } => Some(parameter),
            Self::Unknown { .. } | Self::Syntax { .. } => None,
        }
    }
}

/// The names separated by commas; after many only how many more there are.
pub(super) fn list_names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown = names.take(MAX_NAMES).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// The beginning of what was given, with a mark if it is longer.
pub(super) fn excerpt(given: &str) -> String {
    match given.char_indices().nth(MAX_GIVEN) {
        Some((end, _)) => format!("{}…", &given[..end]),
        None => given.to_owned(),
    }
}
