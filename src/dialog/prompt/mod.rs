//! A prompt: named segments of text from a file that people edit, with variables that are filled in for each request.

mod file;
mod fill_cache;
mod marks;
mod paragraphs;
mod sentences;
mod side_file;
mod template;
mod variables;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use crate::memory::PromptImages;
use mageyard_domain::{ActProblem, Digest, Segment, Setting, StateWords, View};

pub use self::marks::{PromptMark, prompt_marks};
use self::sentences::{changes, split_sentences};
pub(crate) use self::side_file::SideTemplates;
use self::template::Template;
pub use self::variables::VariableValues;

/// The segment `feedback` of a prompt that has none.
const FEEDBACK: &str = "Your last action {outcome}: {reason}";

/// A prompt, such as `0s-CoT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The name.
    pub name: String,
    /// A summary in one line.
    pub summary: String,
    /// Which images requests have.
    pub images: PromptImages,
    segments: BTreeMap<(Segment, Setting), Template>,
    /// What it says of how states are given.
    state_words: StateWords,
}

/// A mistake in a prompt file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct PromptError {
    /// What is wrong and how to fix it.
    pub message: String,
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
}

impl Prompt {
    /// Parses a prompt file and checks all segments and variables, so that composing a request cannot fail. The lines
    /// of each paragraph are joined.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        file::parse(text)
    }

    /// The prompt with these values for `{picture}` and `{view}`.
    #[must_use]
    pub fn with_state_words(self, words: &StateWords) -> Self {
        Self { state_words: words.clone(), ..self }
    }

    /// Whether it can be sent with this view: it says what the state is given as, or the view is the picture that all prompts
    /// speak of. A prompt without images sends the text of the state in every view, so no other view is right for it.
    pub fn allows_view(&self, view: &View) -> bool {
        view.is_picture || (self.images != PromptImages::None && self.has_variable("view"))
    }

    fn has_variable(&self, name: &str) -> bool {
        self.segments.values().any(|template| template.has_variable(name))
    }

    /// The text of a segment in a setting, with its variables; `None` if the prompt does not have the segment.
    pub fn segment(&self, segment: Segment, setting: Setting) -> Option<&Arc<str>> {
        self.segments.get(&(segment, setting)).map(Template::text)
    }

    /// Whether the text of a segment changes at every step, because it has the number of steps that are left.
    pub fn changes_every_step(&self, segment: Segment, setting: Setting) -> bool {
        self.segments.get(&(segment, setting)).is_some_and(Template::changes)
    }

    /// The digest of each segment of a setting, in the order of [`Segment`]. Steps record them.
    pub fn digests(&self, setting: Setting) -> Vec<(Segment, Digest)> {
        let segments = self.segments.iter().filter(|((_, of), _)| *of == setting);
        segments.map(|((segment, _), template)| (*segment, template.digest())).collect()
    }

    /// The same without the sentences that change at every step; see [`Prompt::changing_text`].
    pub fn unchanging_text(
        &self,
        segment: Segment,
        setting: Setting,
        values: &VariableValues<'_>,
    ) -> Arc<str> {
        self.sentences(segment, setting, values, false)
    }

    /// The sentences of a segment that change at every step, because they have the number of steps that are left.
    pub fn changing_text(&self, segment: Segment, setting: Setting, values: &VariableValues<'_>) -> Arc<str> {
        self.sentences(segment, setting, values, true)
    }

    fn sentences(
        &self,
        segment: Segment,
        setting: Setting,
        values: &VariableValues<'_>,
        changing: bool,
    ) -> Arc<str> {
        let Some(text) = self.segment(segment, setting) else { return "".into() };
        let kept: String =
            split_sentences(text).into_iter().filter(|sentence| changes(sentence) == changing).collect();
        Template::new(kept.trim()).fill(&self.state_words, values)
    }

    /// What the agent reads after an action that was refused or failed. A prompt without the segment `feedback` says it in
    /// one sentence.
    pub fn feedback(&self, setting: Setting, problem: &ActProblem) -> Arc<str> {
        let template = self.segments.get(&(Segment::Feedback, setting));
        template.map_or_else(
            || Template::new(FEEDBACK).fill_feedback(problem),
            |template| template.fill_feedback(problem),
        )
    }

    /// A segment with its variables filled in; empty if the prompt does not have the segment.
    pub fn fill(&self, segment: Segment, setting: Setting, values: &VariableValues<'_>) -> Arc<str> {
        let template = self.segments.get(&(segment, setting));
        template.map_or_else(|| "".into(), |template| template.fill(&self.state_words, values))
    }
}
