//! A mistake in something that the user wrote, with its location and a hint.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What is wrong, where, and what to do. The verbs and the screen print it in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where in which file, if it is in a file.
    pub location: Option<SourceLocation>,
    /// What to do, if that is not plain from `what`.
    pub help: Option<String>,
}

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file.
    pub file: PathBuf,
    /// Its complete text, or lines of it; empty if it could not be read.
    pub text: Arc<str>,
    /// The lines before that text; 0 for a complete one.
    pub lines_before: usize,
    /// The byte range.
    pub span: Range<usize>,
}

impl Problem {
    /// A problem without a location.
    pub fn new(what: impl Into<String>) -> Self {
        Self { message: what.into(), location: None, help: None }
    }

    /// The problem with this location.
    #[must_use]
    pub fn at(self, file: impl Into<PathBuf>, text: impl Into<Arc<str>>, span: Range<usize>) -> Self {
        self.in_lines(file, 0, text, span)
    }

    /// The problem at these bytes of `text`, which is a part of a file with this many lines before it.
    #[must_use]
    pub fn in_lines(
        self,
        file: impl Into<PathBuf>,
        lines_before: usize,
        text: impl Into<Arc<str>>,
        span: Range<usize>,
    ) -> Self {
        let location = SourceLocation { file: file.into(), text: text.into(), lines_before, span };
        Self { location: Some(location), ..self }
    }

    /// The problem with this hint.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The problem with a hint: the names nearest to `given`, or all known names.
    #[must_use]
    pub fn with_suggestions<'a>(self, given: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let near = mageyard_domain::nearest_names(given, known.clone());
        match near.as_slice() {
            [] => self.with_help(format!("known: {}", known.into_iter().collect::<Vec<_>>().join(", "))),
            near => self.with_help(format!("did you mean {}?", near.join(" or "))),
        }
    }
}

impl Problem {
    /// File, line, message and hint in one line, not made safe to show.
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
        1 + self.lines_before + before.filter(|byte| **byte == b'\n').count()
    }
}

/// `file:line`, or only the file if it could not be read.
impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = if self.text.is_empty() { String::new() } else { format!(":{}", self.line()) };
        f.write_str(&mageyard_domain::sanitize(&format!("{}{line}", self.file.display())))
    }
}

/// One line that is safe to show: control characters are made visible.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&mageyard_domain::sanitize(&self.to_line()))
    }
}

impl std::error::Error for Problem {}
