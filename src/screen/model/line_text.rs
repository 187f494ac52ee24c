//! A line of text that is typed in a dialog, at its end.

use unicode_segmentation::UnicodeSegmentation;

/// The longest line, in bytes.
const MAX_BYTES: usize = 2000;

/// The line. It has no control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineText(String);

impl LineText {
    pub(crate) fn new(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds a text; one that is too long is not added.
    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.0.len() + text.len() <= MAX_BYTES {
            self.0.push_str(&text);
        }
    }

    /// Removes the last character as a person sees it.
    pub(crate) fn backspace(&mut self) {
        let last = self.0.grapheme_indices(true).next_back();
        self.0.truncate(last.map_or(0, |(at, _)| at));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
