//! The state of the workshop.

use super::lines::Printed;
use crate::requests::{FilledDraft, WorkshopPlace};
use mageyard_config::Problem;
use mageyard_dialog::{Prompt, PromptError};
use mageyard_lab::{PromptOrigin, PromptVersionText};
use mageyard_study::{PinnedState, PlannedStudy, VersionCell, VersionRow, VersionTable};
use mageyard_terminal::TextEditor;

/// What keys act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Focus {
    /// The text of the prompt.
    #[default]
    Text,
    /// The request of the draft, or a difference of texts.
    Request,
    /// The versions and their answers.
    Versions,
}

/// How far an ask is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Asking {
    /// Nothing is asked.
    #[default]
    None,
    /// The ask with this number is being planned.
    Planning(u64),
    /// It waits for a second press.
    Planned(u64, PlannedStudy),
    /// Its calls are made; so many replies of all are there.
    Running(u64, Option<(usize, usize)>),
    /// Its calls are being stopped.
    Stopping(u64),
}

/// Something that is asked before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether the prompt is to be deleted.
    Delete,
    /// Whether the state with this index is to be unpinned.
    Unpin(usize),
}

/// The workshop of a prompt.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkshopSheet {
    pub(super) place: WorkshopPlace,
    /// Whether it was opened from an episode, which uses what is saved.
    pub(super) is_of_episode: bool,
    /// The name of the prompt, and whose it is; none until it was read.
    pub(super) prompt: Option<(String, PromptOrigin)>,
    pub(super) editor: TextEditor,
    /// The saved text.
    pub(super) saved: String,
    /// What is wrong with the draft.
    pub(super) error: Option<PromptError>,
    /// The suite of the pinned states, and whether it is one of the user.
    pub(super) suite: (String, bool),
    pub(super) states: Vec<PinnedState>,
    /// Why no states can be shown.
    pub(super) stateless: Option<Problem>,
    state: usize,
    /// The request of the draft as it was filled in last.
    pub(super) filled: Option<Box<FilledDraft>>,
    /// Whether a newer draft, or another state, is being filled in.
    pub(super) is_filling: bool,
    /// Whether something is being saved, deleted or pinned.
    pub(super) is_storing: bool,
    pub(super) scroll: u16,
    /// Whether the request is shown where the edit changed it, until a person scrolls.
    pub(super) follows: bool,
    pub(super) focus: Focus,
    /// The versions, the oldest first, with their answers.
    pub(super) texts: Vec<PromptVersionText>,
    pub(super) table: VersionTable,
    /// Whether all answers are known.
    pub(super) is_complete: bool,
    selected: usize,
    /// Whether the selected version is compared with the draft.
    pub(super) compares: bool,
    pub(super) samples: u32,
    pub(super) asking: Asking,
    /// The new name that is typed.
    pub(super) name: Option<String>,
    pub(super) question: Option<Question>,
    /// What was said last.
    pub(super) said: Option<String>,
    /// Whether a warning was shown; the same key again acts.
    pub(super) warned: bool,
    /// Why the prompt cannot be opened.
    pub(super) failed: Option<Problem>,
    /// What the lines print in full.
    pub(super) printed: Printed,
}

impl WorkshopSheet {
    pub(super) fn new(place: WorkshopPlace, is_of_episode: bool) -> Self {
        Self { place, is_of_episode, samples: 1, ..Self::default() }
    }

    /// Whether letters are text.
    pub(crate) fn is_typing(&self) -> bool {
        self.name.is_some() || (self.focus == Focus::Text && self.question.is_none())
    }

    /// Whether an answer is outstanding.
    pub(crate) fn is_waiting(&self) -> bool {
        let opens = self.prompt.is_none() && self.failed.is_none();
        let asks = matches!(self.asking, Asking::Planning(_) | Asking::Running(..) | Asking::Stopping(_));
        opens || asks || self.is_filling || self.is_storing || (self.prompt.is_some() && !self.is_complete)
    }

    pub(super) fn draft(&self) -> &str {
        self.editor.text()
    }

    pub(super) fn has_changed(&self) -> bool {
        self.draft() != self.saved
    }

    /// Reads the draft again after a change.
    pub(super) fn check(&mut self) {
        self.error = Prompt::parse(self.editor.text()).err();
    }

    /// The number of the ask in progress or planned.
    pub(super) fn number(&self) -> Option<u64> {
        match self.asking {
            Asking::None => None,
            Asking::Planning(number)
            | Asking::Planned(number, _)
            | Asking::Running(number, _)
            | Asking::Stopping(number) => Some(number),
        }
    }

    /// The index of the shown state.
    pub(super) fn state(&self) -> usize {
        self.state.min(self.states.len().saturating_sub(1))
    }

    /// Shows another state; false if it is the same.
    pub(super) fn move_state(&mut self, by: isize) -> bool {
        let before = self.state();
        self.state = before.saturating_add_signed(by).min(self.states.len().saturating_sub(1));
        self.scroll = 0;
        before != self.state
    }

    pub(super) fn set_state(&mut self, index: usize) {
        self.state = index;
        self.scroll = 0;
    }

    /// The index of the selected version; the newest is the last one.
    pub(super) fn selected(&self) -> usize {
        self.selected.min(self.texts.len().saturating_sub(1))
    }

    pub(super) fn select(&mut self, index: usize) {
        self.selected = index;
        self.scroll = 0;
    }

    /// Selects another version; newer ones are above.
    pub(super) fn move_version(&mut self, by: isize) {
        self.select(self.selected().saturating_add_signed(-by).min(self.texts.len().saturating_sub(1)));
    }

    pub(super) fn version(&self) -> Option<&PromptVersionText> {
        self.texts.get(self.selected())
    }

    /// The answers of a version.
    pub(super) fn row(&self, number: u32) -> Option<&VersionRow> {
        self.table.rows.iter().find(|row| row.number == number)
    }

    /// The answers of the selected version in the shown state.
    pub(super) fn cell(&self) -> Option<&VersionCell> {
        self.row(self.version()?.number)?.cells.get(self.state())
    }

    /// The number of the version with the text of the draft, if it was asked.
    pub(super) fn draft_version(&self) -> Option<u32> {
        self.texts.iter().find(|version| version.text == self.draft()).map(|version| version.number)
    }

    /// The version before one with this index, with which its lines are compared.
    pub(super) fn before(&self, index: usize) -> Option<&PromptVersionText> {
        self.texts.get(index.checked_sub(1)?)
    }
}
