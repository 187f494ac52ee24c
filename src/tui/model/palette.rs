//! The palette as it stands: what was typed, and which of the rows it offers is chosen.

use unicode_segmentation::UnicodeSegmentation;

use crate::tui::command::Argument;
use crate::tui::command::find_command;

/// More than anybody types; a paste is cut here.
const MAX_BYTES: usize = 2000;

/// What was typed, and the row chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    input: String,
    selected: usize,
}

/// A row: what it would make of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The line it stands for.
    pub(crate) line: String,
    /// What is shown, and which of its characters match.
    pub(crate) label: String,
    pub(crate) matched: Vec<u32>,
    pub(crate) help: String,
}

impl Palette {
    /// A palette with this already typed.
    pub(crate) fn with(input: String) -> Self {
        Self { input, selected: 0 }
    }

    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// The index of the row that is chosen.
    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.input.len() + line.len() <= MAX_BYTES {
            self.input.push_str(&line);
        }
        self.selected = 0;
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.input.grapheme_indices(true).next_back();
        self.input.truncate(last.map_or(0, |(at, _)| at));
        self.selected = 0;
    }

    pub(crate) fn delete_word(&mut self) {
        let kept = self.input.trim_end();
        self.input.truncate(kept.rfind(' ').map_or(0, |space| space + 1));
        self.selected = 0;
    }

    pub(crate) fn select_previous(&mut self, offers: &[Completion]) {
        self.selected = self.selected.checked_sub(1).unwrap_or(offers.len().saturating_sub(1));
    }

    pub(crate) fn select_next(&mut self, offers: &[Completion]) {
        self.selected = if self.selected + 1 < offers.len() { self.selected + 1 } else { 0 };
    }

    /// Takes the chosen row over into the input.
    pub(crate) fn complete(&mut self, offers: &[Completion]) {
        if let Some(offer) = offers.get(self.selected) {
            *self = Self::with(offer.line.clone());
        }
    }

    /// The line that Enter means: what was typed when it says enough, otherwise the chosen row.
    pub(crate) fn line(&self, offers: &[Completion]) -> String {
        let typed = self.input.trim();
        let word = typed.split(' ').next().unwrap_or_default();
        let number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let taken = |argument| match argument {
            Argument::None | Argument::Breaks => true,
            Argument::Edited => typed == word,
            // The last of a list may be half written: only Tab or an arrow takes an offer.
            Argument::Actions | Argument::Marks => typed != word,
            _ => false,
        };
        let whole =
            typed.is_empty() || number || find_command(word).is_some_and(|command| taken(command.argument));
        match offers.get(self.selected) {
            Some(offer) if !whole || self.selected > 0 => offer.line.clone(),
            _ => typed.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_cannot_press_enter_nor_flood() {
        let mut palette = Palette::default();
        palette.insert("open\n\u{1b}x");
        assert_eq!(palette.input(), "openx");
        palette.insert(&"y".repeat(3000));
        assert_eq!(palette.input(), "openx");
    }
}
