//! What can be wrong with a recording.

/// Why a recording cannot be read. The caller knows the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordingError {
    /// The text is not JSON.
    #[error("line {line}, column {column}: {why}")]
    Json {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser says.
        why: String,
    },
    /// A field has another type or value than the format says.
    #[error("{field}: needs {needs}")]
    Value {
        /// Where it stands, such as `steps[3].o[0]`.
        field: String,
        /// What it needs.
        needs: &'static str,
    },
    /// A field is missing.
    #[error("{field} is missing")]
    Missing {
        /// Where it belongs.
        field: String,
    },
    /// A list has the wrong length.
    #[error("{field}: has {found} elements and needs {needs}")]
    Length {
        /// Where it stands.
        field: String,
        /// How many elements it has.
        found: usize,
        /// How many it needs.
        needs: usize,
    },
}

impl From<serde_json::Error> for RecordingError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let why = text.split(" at line ").next().unwrap_or_default().to_owned();
        Self::Json { line: error.line(), column: error.column(), why }
    }
}
