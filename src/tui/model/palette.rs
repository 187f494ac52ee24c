//! The palette as it stands: what was typed, and which of the rows it offers is chosen.

use unicode_segmentation::UnicodeSegmentation;

use crate::tui::command::Argument;
use crate::tui::command::named;

/// More than anybody types; a paste is cut here.
const LONGEST: usize = 2000;

/// What was typed, and the row chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    input: String,
    chosen: usize,
}

/// A row: what it would make of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The line it stands for.
    pub(crate) line: String,
    /// What is shown, and which of its characters match.
    pub(crate) shown: String,
    pub(crate) matched: Vec<u32>,
    pub(crate) help: String,
}

impl Palette {
    /// A palette with this already typed.
    pub(crate) fn with(input: String) -> Self {
        Self { input, chosen: 0 }
    }

    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// The index of the row that is chosen.
    pub(crate) fn chosen(&self) -> usize {
        self.chosen
    }

    pub(crate) fn write(&mut self, text: &str) {
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.input.len() + line.len() <= LONGEST {
            self.input.push_str(&line);
        }
        self.chosen = 0;
    }

    pub(crate) fn erase(&mut self) {
        let last = self.input.grapheme_indices(true).next_back();
        self.input.truncate(last.map_or(0, |(at, _)| at));
        self.chosen = 0;
    }

    pub(crate) fn erase_word(&mut self) {
        let kept = self.input.trim_end();
        self.input.truncate(kept.rfind(' ').map_or(0, |space| space + 1));
        self.chosen = 0;
    }

    pub(crate) fn choose_before(&mut self, offers: &[Offer]) {
        self.chosen = self.chosen.checked_sub(1).unwrap_or(offers.len().saturating_sub(1));
    }

    pub(crate) fn choose_after(&mut self, offers: &[Offer]) {
        self.chosen = if self.chosen + 1 < offers.len() { self.chosen + 1 } else { 0 };
    }

    /// Takes the chosen row over into the input.
    pub(crate) fn complete(&mut self, offers: &[Offer]) {
        if let Some(offer) = offers.get(self.chosen) {
            *self = Self::with(offer.line.clone());
        }
    }

    /// The line that Enter means: what was typed when it says enough, otherwise the chosen row.
    pub(crate) fn line(&self, offers: &[Offer]) -> String {
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
        let whole = typed.is_empty() || number || named(word).is_some_and(|command| taken(command.argument));
        match offers.get(self.chosen) {
            Some(offer) if !whole || self.chosen > 0 => offer.line.clone(),
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
        palette.write("open\n\u{1b}x");
        assert_eq!(palette.input(), "openx");
        palette.write(&"y".repeat(3000));
        assert_eq!(palette.input(), "openx");
    }
}
