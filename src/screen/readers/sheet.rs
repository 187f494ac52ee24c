//! The state of the dialog of readers.

use crate::requests::{ReadReply, ReaderEntry};
use mageyard_config::Problem;
use mageyard_engine::Attempt;
use mageyard_lab::{ReplyPlace, ReplyShape, Rereading};
use mageyard_terminal::TextEditor;

/// Which list the arrows move in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    #[default]
    Readers,
    Shapes,
}

/// The readers, what they read, and the draft.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReaderSheet {
    /// The session or sweep.
    pub(super) scope: String,
    /// How many episodes are loaded.
    pub(super) loaded: usize,
    pub(super) rows: Vec<ReaderRow>,
    /// The reader to select once the readers are listed again.
    pub(super) wanted: Option<String>,
    /// Whether every reader has read all replies.
    pub(super) is_complete: bool,
    selected: usize,
    shape: usize,
    example: usize,
    pub(super) focus: Focus,
    /// The reply that is shown.
    pub(super) shown: Option<Box<ReadReply>>,
    pub(super) draft: Option<Box<Draft>>,
    /// What was said last.
    pub(super) said: Option<String>,
    /// Why nothing can be read.
    pub(super) failed: Option<Problem>,
    /// Whether the recording of the shown reply is being opened.
    pub(crate) is_opening: bool,
}

/// A reader and what it reads.
#[derive(Clone, Debug)]
pub(super) struct ReaderRow {
    pub(super) entry: ReaderEntry,
    /// None while it is being read.
    pub(super) read: Option<Rereading>,
}

/// A reader that is being written.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The reader that it began as.
    pub(super) base: String,
    /// Whether that is the user's, so that saving replaces it.
    pub(super) is_own: bool,
    pub(super) editor: TextEditor,
    /// The text at the beginning.
    pub(super) original: String,
    /// What it reads, or what is wrong with it; none while it is being read.
    pub(super) result: Option<Result<Rereading, Problem>>,
    /// The last reading that was complete.
    pub(super) last: Rereading,
    /// How much of the replies is read.
    pub(super) progress: Option<(usize, usize)>,
    /// The name that is typed to save it.
    pub(super) name: Option<String>,
    /// Whether a warning was shown; the same key again acts.
    pub(super) warned: bool,
}

impl ReaderSheet {
    pub(super) fn new(scope: String) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Whether a text is typed.
    pub(crate) fn is_typing(&self) -> bool {
        self.draft.is_some()
    }

    /// Whether an answer is outstanding.
    pub(crate) fn is_waiting(&self) -> bool {
        let reads = !self.is_complete && self.failed.is_none();
        let tries = self.draft.as_ref().is_some_and(|draft| draft.result.is_none());
        reads || tries || self.is_opening || (self.place().is_some() && self.reading().is_none())
    }

    /// The index of the selected reader.
    pub(super) fn selected(&self) -> usize {
        self.selected.min(self.rows.len().saturating_sub(1))
    }

    pub(super) fn row(&self) -> Option<&ReaderRow> {
        self.rows.get(self.selected())
    }

    /// What the draft reads, or the selected reader.
    pub(super) fn read(&self) -> Option<&Rereading> {
        match &self.draft {
            Some(draft) => Some(&draft.last),
            None => self.row()?.read.as_ref(),
        }
    }

    pub(super) fn shapes(&self) -> &[ReplyShape] {
        self.read().map_or(&[], |read| &read.shapes)
    }

    /// The index of the selected shape.
    pub(super) fn shape_index(&self) -> usize {
        self.shape.min(self.shapes().len().saturating_sub(1))
    }

    /// The index of the shown reply among those of the shape.
    pub(super) fn example_index(&self) -> usize {
        let count = self.shapes().get(self.shape_index()).map_or(0, |shape| shape.places.len());
        self.example.min(count.saturating_sub(1))
    }

    /// The place of the selected reply. The one that was shown stays while nothing else is selected.
    pub(super) fn place(&self) -> Option<ReplyPlace> {
        let shape = self.shapes().get(self.shape_index());
        let selected = shape.and_then(|shape| shape.places.get(self.example_index()).copied());
        selected.or_else(|| self.shown.as_ref().map(|shown| shown.place))
    }

    /// The shown reply as the draft reads it, or the selected reader; none if it is not the selected reply.
    pub(super) fn reading(&self) -> Option<&Attempt> {
        let shown = self.shown.as_ref().filter(|shown| Some(shown.place) == self.place())?;
        match (&self.draft, &shown.draft) {
            (Some(_), Some(attempt)) => Some(attempt),
            _ => shown.readings.get(self.selected()),
        }
    }

    /// Selects a reader; its first shape is shown.
    pub(super) fn select(&mut self, index: usize) {
        (self.selected, self.shape, self.example) = (index, 0, 0);
    }

    pub(super) fn select_shape(&mut self, index: usize) {
        (self.shape, self.example) = (index, 0);
    }

    /// Moves in the focused list; it stops at both ends.
    pub(super) fn move_by(&mut self, by: isize) {
        let moved = |at: usize, count: usize| at.saturating_add_signed(by).min(count.saturating_sub(1));
        match self.focus {
            Focus::Readers => self.select(moved(self.selected(), self.rows.len())),
            Focus::Shapes => self.select_shape(moved(self.shape_index(), self.shapes().len())),
        }
    }

    /// Shows another reply of the shape.
    pub(super) fn turn_by(&mut self, by: isize) {
        let count = self.shapes().get(self.shape_index()).map_or(0, |shape| shape.places.len());
        self.example = self.example_index().saturating_add_signed(by).min(count.saturating_sub(1));
    }
}

impl Draft {
    pub(super) fn new(row: &ReaderRow, text: String) -> Self {
        let mut editor = TextEditor::new(text.clone());
        // What a reader is for is on top.
        editor.move_rows(isize::MIN, u16::MAX);
        editor.home();
        Self {
            base: row.entry.name.clone(),
            is_own: row.entry.is_own,
            editor,
            original: text,
            result: row.read.clone().map(Ok),
            last: row.read.clone().unwrap_or_default(),
            progress: None,
            name: None,
            warned: false,
        }
    }

    pub(super) fn has_changed(&self) -> bool {
        self.editor.text() != self.original
    }
}
