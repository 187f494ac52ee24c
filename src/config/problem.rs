//! A mistake in something that a person wrote, with its place and the way out.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What is wrong, where, and what to do. Printed alike by the verbs and by the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence without a full stop.
    pub what: String,
    /// Where in which file, if it is in a file.
    pub place: Option<Place>,
    /// What to do, if that is not plain from `what`.
    pub help: Option<String>,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
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
        Self { what: what.into(), place: None, help: None }
    }

    /// The same, at this place.
    #[must_use]
    pub fn at(self, file: impl Into<PathBuf>, text: impl Into<Arc<str>>, span: Range<usize>) -> Self {
        Self { place: Some(Place { file: file.into(), text: text.into(), span }), ..self }
    }

    /// The same, with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same, naming the nearest names to a misspelt one, or else all that are known.
    #[must_use]
    pub fn known<'a>(self, given: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let near = crate::domain::nearest(given, known.clone());
        match near.as_slice() {
            [] => self.help(format!("known: {}", known.into_iter().collect::<Vec<_>>().join(", "))),
            near => self.help(format!("did you mean {}?", near.join(" or "))),
        }
    }
}

impl Place {
    /// The line, from 1.
    pub fn line(&self) -> usize {
        let before = self.text.as_bytes().iter().take(self.span.start);
        1 + before.filter(|byte| **byte == b'\n').count()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}", place.file.display())?;
            if !place.text.is_empty() {
                write!(f, ":{}", place.line())?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.what)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for Problem {}
