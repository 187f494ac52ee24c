//! A mistake in something that a person wrote, with its place and the way out.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::domain;

/// What is wrong, where, and what to do. Printed alike by the verbs and by the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where in which file, if it is in a file.
    pub location: Option<SourceLocation>,
    /// What to do, if that is not plain from `what`.
    pub help: Option<String>,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file.
    pub file: PathBuf,
    /// Its whole text; empty when it could not be read.
    pub text: Arc<str>,
    /// The bytes meant.
    pub span: Range<usize>,
}

impl Problem {
    /// A problem that stands in no file.
    pub fn new(what: impl Into<String>) -> Self {
        Self { message: what.into(), location: None, help: None }
    }

    /// The same, at this place.
    #[must_use]
    pub fn at(self, file: impl Into<PathBuf>, text: impl Into<Arc<str>>, span: Range<usize>) -> Self {
        Self { location: Some(SourceLocation { file: file.into(), text: text.into(), span }), ..self }
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same, naming the nearest names to a misspelt one, or else all that are known.
    #[must_use]
    pub fn with_suggestions<'a>(self, given: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let near = domain::nearest_names(given, known.clone());
        match near.as_slice() {
            [] => self.with_help(format!("known: {}", known.into_iter().collect::<Vec<_>>().join(", "))),
            near => self.with_help(format!("did you mean {}?", near.join(" or "))),
        }
    }
}

impl Problem {
    /// File, line, what and help in one line, as they were written.
    fn to_line(&self) -> String {
        let place = self.location.as_ref().map_or_else(String::new, |place| format!("{place}: "));
        let help = self.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
        format!("{place}{}{help}", self.message)
    }
}

impl SourceLocation {
    /// The line, from 1.
    pub fn line(&self) -> usize {
        let before = self.text.as_bytes().iter().take(self.span.start);
        1 + before.filter(|byte| **byte == b'\n').count()
    }
}

/// File and line as compilers write them; the file alone when it could not be read.
impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = if self.text.is_empty() { String::new() } else { format!(":{}", self.line()) };
        f.write_str(&domain::sanitize(&format!("{}{line}", self.file.display())))
    }
}

/// One line, safe to show: what steers a terminal is made visible.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&domain::sanitize(&self.to_line()))
    }
}

impl std::error::Error for Problem {}
