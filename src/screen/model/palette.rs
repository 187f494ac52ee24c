//! The state of the command palette: the input and the selected completion.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::command::{Argument, called};

/// Maximum length of the input in bytes; a longer paste is refused.
const MAX_BYTES: usize = 2000;

/// The input and the selected row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    input: String,
    selected: usize,
    /// Whether Enter refused this input.
    is_refused: bool,
    /// The mistake in the argument for which it was refused, if its place is not found by reading the input.
    place: Option<Range<usize>>,
}

/// A completion of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The completed line.
    pub(crate) line: String,
    /// The text shown, and the indices of its matching characters.
    pub(crate) label: String,
    pub(crate) matched: Vec<u32>,
    pub(crate) help: String,
    /// What is shown before the help in a column of its own: the keys of a command.
    pub(crate) keys: String,
    /// Whether the completed line still needs a value.
    pub(crate) is_partial: bool,
}

impl Palette {
    /// A palette with this input.
    pub(crate) fn with(input: String) -> Self {
        Self { input, ..Self::default() }
    }

    /// A palette with this input, which Enter refused.
    pub(crate) fn refused(input: String) -> Self {
        Self { input, is_refused: true, ..Self::default() }
    }

    /// A palette with this input, which was refused for this part of its argument.
    pub(crate) fn refused_at(input: String, place: Option<Range<usize>>) -> Self {
        Self { place, ..Self::refused(input) }
    }

    /// The part of the argument for which the input was refused.
    pub(crate) fn refused_place(&self) -> Option<Range<usize>> {
        self.place.clone().filter(|_| self.is_refused)
    }

    /// Whether Enter refused this input.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// Index of the selected row.
    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.input.len() + line.len() <= MAX_BYTES {
            self.input.push_str(&line);
        }
        (self.selected, self.is_refused) = (0, false);
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.input.grapheme_indices(true).next_back();
        self.input.truncate(last.map_or(0, |(at, _)| at));
        (self.selected, self.is_refused) = (0, false);
    }

    pub(crate) fn delete_word(&mut self) {
        let kept = self.input.trim_end();
        self.input.truncate(kept.rfind(' ').map_or(0, |space| space + 1));
        (self.selected, self.is_refused) = (0, false);
    }

    pub(crate) fn select_previous(&mut self, offers: &[Completion]) {
        self.selected = self.selected.checked_sub(1).unwrap_or(offers.len().saturating_sub(1));
    }

    pub(crate) fn select_next(&mut self, offers: &[Completion]) {
        self.selected = if self.selected + 1 < offers.len() { self.selected + 1 } else { 0 };
    }

    /// Replaces the input by the selected row.
    pub(crate) fn complete(&mut self, offers: &[Completion]) {
        if let Some(offer) = offers.get(self.selected) {
            *self = Self::with(offer.line.clone());
        }
    }

    /// The line that Enter submits: the input if it is complete, otherwise the selected row.
    pub(crate) fn line(&self, offers: &[Completion]) -> String {
        let typed = self.input.trim();
        let word = typed.split(' ').next().unwrap_or_default();
        let number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let taken = |argument| match argument {
            Argument::None
            | Argument::Breaks
            | Argument::Picture
            | Argument::Switch
            | Argument::Changes
            | Argument::Hint
            | Argument::Tag
            | Argument::Condition
            | Argument::Compared
            | Argument::Text => true,
            Argument::Edited | Argument::Lesson => typed == word,
            // The last item of a list may be incomplete: only Tab or an arrow completes it.
            Argument::Actions | Argument::Marks => typed != word,
            _ => false,
        };
        let whole =
            typed.is_empty() || number || called(typed).is_some_and(|(command, _)| taken(command.argument));
        match offers.get(self.selected) {
            Some(offer) if offer.is_partial && self.selected == 0 => typed.to_owned(),
            Some(offer) if !whole || self.selected > 0 => offer.line.clone(),
            _ => typed.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_has_no_line_breaks_and_a_maximum_length() {
        let mut palette = Palette::default();
        palette.insert("open\n\u{1b}x");
        assert_eq!(palette.input(), "openx");
        palette.insert(&"y".repeat(3000));
        assert_eq!(palette.input(), "openx");
    }
}
