//! The program of the real engine, as the settings name it.

use std::time::Duration;

/// The interpreter on the path, where none is named.
const USUAL: &str = "python3";

/// The Python interpreter that has the real engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its path, or its name on the path; empty for the usual one.
    pub python: String,
    /// How long it may take to start, and for each answer.
    pub limit: Duration,
}

impl Program {
    /// What is started.
    #[must_use]
    pub fn interpreter(&self) -> &str {
        if self.python.is_empty() { USUAL } else { &self.python }
    }
}

impl Default for Program {
    fn default() -> Self {
        Self { python: String::new(), limit: Duration::from_secs(30) }
    }
}
