//! The state of the dialog that makes a branch: what changes, and what the branch would be.

use std::path::PathBuf;

use unicode_segmentation::UnicodeSegmentation;

use crate::config::Problem;
use crate::tui::appearance::ForkOrder;

/// The longest text of changes, in bytes.
const MAX_CHANGES: usize = 2000;

/// The dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForkSheet {
    journal: PathBuf,
    /// The step that the branch begins with.
    pub(crate) step: u32,
    changes: String,
    /// The edited state that it begins with, if there is one.
    pub(crate) state: Option<String>,
    /// What the branch would be, with the changes that this was said for; a refusal is the error.
    pub(crate) plan: Option<(String, Result<Vec<String>, Problem>)>,
}

impl ForkSheet {
    pub(crate) fn new(journal: PathBuf, step: u32, changes: &str) -> Self {
        Self { journal, step, changes: changes.trim().to_owned(), state: None, plan: None }
    }

    pub(crate) fn changes(&self) -> &str {
        &self.changes
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.changes.len() + text.len() <= MAX_CHANGES {
            self.changes.push_str(&text);
        }
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.changes.grapheme_indices(true).next_back();
        self.changes.truncate(last.map_or(0, |(at, _)| at));
    }

    pub(crate) fn set(&mut self, changes: &str) {
        self.changes.clear();
        self.insert(changes);
    }

    /// What the branch would be with the present changes; `None` while that is not known.
    pub(crate) fn known_plan(&self) -> Option<&Result<Vec<String>, Problem>> {
        self.plan.as_ref().filter(|(changes, _)| *changes == self.changes).map(|(_, plan)| plan)
    }

    /// The order to plan it, or to make it.
    pub(crate) fn order(&self, is_made: bool) -> ForkOrder {
        let (journal, changes) = (self.journal.clone(), self.changes.clone());
        ForkOrder { journal, step: self.step, changes, state: self.state.clone(), is_made }
    }
}
