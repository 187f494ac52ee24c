//! A mistake in a condition, with its place in the text.

use std::fmt;
use std::ops::Range;

use mageyard_domain::nearest_names;

/// What is wrong in a condition, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The byte range in the text.
    pub span: Range<usize>,
    /// What to do, if that is not plain from the message.
    pub help: Option<String>,
}

impl ConditionError {
    /// A mistake at this place.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span, help: None }
    }

    /// The mistake with this hint.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The mistake with the names nearest to `given`, or else all names.
    #[must_use]
    pub(super) fn with_names(self, given: &str, known: &[&str]) -> Self {
        let near = nearest_names(given, known.iter().copied());
        match near.as_slice() {
            [] => self.with_help(format!("the names are {}", known.join(", "))),
            near => self.with_help(format!("did you mean {}?", near.join(" or "))),
        }
    }
}

/// The message and the hint in one line.
impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ConditionError {}
