//! A prompt variant: named segments of text, read from a file that people edit, with the words that
//! only the level knows left open.

mod file;
mod variables;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use crate::domain::Digest;
use crate::domain::Segment;
use crate::domain::Setting;

pub use self::variables::VariableValues;

/// A prompt variant, such as `0s-CoT`, for the settings its file has segments for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The variant's name.
    pub name: String,
    /// What it is, in a line.
    pub summary: String,
    /// Whether frames are sent; otherwise the state is told in words.
    pub images: bool,
    segments: BTreeMap<(Segment, Setting), Arc<str>>,
    /// What things look like in the frames that are sent.
    picture_legend: Arc<str>,
}

/// A mistake in a prompt file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct PromptError {
    /// What is wrong and what would be right.
    pub why: String,
    /// The bytes meant.
    pub span: Range<usize>,
}

impl Prompt {
    /// Reads a prompt file. Every segment, every open word and every missing piece is checked here, so
    /// that nothing is found out only when a request is due.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        file::parse(text)
    }

    /// The same for frames in which things look so; it fills `{picture}`.
    #[must_use]
    pub fn with_picture_legend(self, picture: &str) -> Self {
        Self { picture_legend: picture.into(), ..self }
    }

    /// The text of a segment in a setting, its words still open; `None` where the variant has none.
    pub fn segment(&self, segment: Segment, setting: Setting) -> Option<&Arc<str>> {
        self.segments.get(&(segment, setting))
    }

    /// The segments of a setting in the order of [`Segment`], each with its digest: what a step records
    /// to say exactly what was asked.
    pub fn digests(&self, setting: Setting) -> Vec<(Segment, Digest)> {
        let own = self.segments.iter().filter(|((_, of), _)| *of == setting);
        own.map(|((segment, _), text)| (*segment, Digest::of(text.as_bytes()))).collect()
    }

    /// A segment with its words filled in; empty where the variant has none.
    pub fn fill(&self, segment: Segment, setting: Setting, words: &VariableValues<'_>) -> Arc<str> {
        self.segment(segment, setting)
            .map_or_else(|| "".into(), |text| variables::substitute(text, &self.picture_legend, words).into())
    }
}
