//! The state of a search: the text as typed, and which match is the current one.

use unicode_segmentation::UnicodeSegmentation;

use super::{Modal, Model};
use crate::pane::Pane;
use crate::search::Query;

/// The longest text, in bytes.
const MAX_TEXT: usize = 200;

/// A search in the focused pane, or in the open dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Search {
    text: String,
    /// Whether the text is being typed.
    pub(crate) is_typing: bool,
    /// The current match, and the place whose matches were counted.
    current: Option<(usize, SearchPlace)>,
    /// How many steps of the episode have the text, once it was entered.
    pub(crate) steps: usize,
    /// Whether all panes are searched, because the one with the focus had no text.
    pub(crate) is_everywhere: bool,
}

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchPlace {
    episode: usize,
    step: usize,
    pane: Pane,
    dialog: Option<&'static str>,
}

impl Search {
    pub(crate) fn typed() -> Self {
        Self { is_typing: true, ..Self::default() }
    }

    pub(crate) fn with(text: &str) -> Self {
        let mut search = Self::default();
        search.insert(text);
        search
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn query(&self) -> Option<Query> {
        Query::new(&self.text)
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        if self.text.len() + text.len() <= MAX_TEXT {
            self.text.push_str(&text);
        }
        self.current = None;
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.text.grapheme_indices(true).next_back();
        self.text.truncate(last.map_or(0, |(at, _)| at));
        self.current = None;
    }

    pub(crate) fn clear(&mut self) {
        (self.text, self.current) = (String::new(), None);
    }

    /// The index of the current match among those of this place.
    pub(crate) fn current(&self, place: SearchPlace) -> Option<usize> {
        self.current.filter(|(_, known)| *known == place).map(|(index, _)| index)
    }

    pub(crate) fn set_current(&mut self, index: usize, place: SearchPlace) {
        self.current = Some((index, place));
    }
}

impl Model {
    /// What a search looks at now.
    pub(crate) fn search_place(&self) -> SearchPlace {
        SearchPlace {
            episode: self.current,
            step: self.episode().map_or(0, super::EpisodeView::index),
            pane: self.panes.focus,
            dialog: self.modal.as_ref().map(Modal::name),
        }
    }
}
