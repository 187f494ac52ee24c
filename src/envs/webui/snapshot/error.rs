//! Why a text is no snapshot.

use super::{MAX_BYTES, MAX_ELEMENTS, VERSION};

/// Why a text is no snapshot. Texts of the page are not repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// It is no JSON of the format.
    #[error("the snapshot is not valid JSON of its format: {what} at line {line}, column {column}")]
    Json {
        /// The kind of error.
        what: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// It has another version.
    #[error("the snapshot has version {found}, this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// The script stopped at a limit.
    #[error("the page exceeds a limit: {reason}")]
    Limit {
        /// The limit, as the script named it.
        reason: String,
    },
    /// The text is too long.
    #[error("the snapshot has {bytes} bytes, at most {MAX_BYTES} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// There are too many elements.
    #[error("the page has {count} shown elements, at most {MAX_ELEMENTS} are read")]
    TooManyElements {
        /// Their number.
        count: usize,
    },
    /// A computed style is listed twice.
    #[error("the snapshot lists a computed style twice: {name:?}")]
    RepeatedProperty {
        /// Its name.
        name: String,
    },
    /// A computed style that the score reads is not listed.
    #[error("the snapshot lacks the computed style {name}")]
    MissingProperty {
        /// Its name.
        name: &'static str,
    },
    /// An element is inconsistent.
    #[error("element {index} of the snapshot: {fault}")]
    Element {
        /// Its index, from 0.
        index: usize,
        /// What is wrong.
        fault: ElementFault,
    },
}

/// What is wrong with an element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElementFault {
    /// A number of the rectangle is outside its range.
    #[error("its rectangle has a negative size or a number outside the range of browsers")]
    Box,
    /// The number of styles is not that of the properties.
    #[error("it has {found} styles instead of {expected}")]
    Styles {
        /// Its styles.
        found: usize,
        /// The listed properties.
        expected: usize,
    },
    /// It is not shown, and only annotated elements are listed although they are not.
    #[error("it is neither shown nor annotated")]
    HiddenAndPlain,
}

impl SnapshotError {
    pub(super) fn json(error: &serde_json::Error) -> Self {
        let what = match error.classify() {
            serde_json::error::Category::Data => "a wrong, missing or unknown field",
            serde_json::error::Category::Eof => "an early end",
            serde_json::error::Category::Syntax | serde_json::error::Category::Io => "a syntax error",
        };
        Self::Json { what, line: error.line(), column: error.column() }
    }
}
