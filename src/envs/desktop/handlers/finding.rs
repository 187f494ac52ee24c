//! What a handler finds if it does not pass.

/// Why a procedure did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The task is not done: a sentence with what was expected and what was found.
    Fail(String),
    /// It cannot be judged, such as for a reference that is missing: a sentence with the reason. Never a score.
    Error(String),
    /// A person must answer this text first.
    Ask(String),
}

impl Finding {
    /// The task is not done.
    pub fn fail(sentence: impl Into<String>) -> Self {
        Self::Fail(sentence.into())
    }

    /// It cannot be judged.
    pub fn error(sentence: impl Into<String>) -> Self {
        Self::Error(sentence.into())
    }
}
