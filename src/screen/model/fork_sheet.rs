//! The state of the dialog that makes a branch: what changes, and what the branch would be.

use std::path::PathBuf;

use super::line_text::LineText;
use crate::requests::ForkOrder;
use mageyard_config::Problem;

/// The dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForkSheet {
    journal: PathBuf,
    /// The step that the branch begins with.
    pub(crate) step: u32,
    changes: LineText,
    /// The edited state that it begins with, if there is one.
    pub(crate) state: Option<String>,
    /// What the branch would be, with the changes that this was said for; a refusal is the error.
    pub(crate) plan: Option<(String, Result<Vec<String>, Problem>)>,
}

impl ForkSheet {
    pub(crate) fn new(journal: PathBuf, step: u32, changes: &str) -> Self {
        Self { journal, step, changes: LineText::new(changes.trim()), state: None, plan: None }
    }

    pub(crate) fn changes(&self) -> &str {
        self.changes.as_str()
    }

    pub(crate) fn insert(&mut self, text: &str) {
        self.changes.insert(text);
    }

    pub(crate) fn backspace(&mut self) {
        self.changes.backspace();
    }

    pub(crate) fn set(&mut self, changes: &str) {
        self.changes.clear();
        self.insert(changes);
    }

    /// What the branch would be with the present changes; `None` while that is not known.
    pub(crate) fn known_plan(&self) -> Option<&Result<Vec<String>, Problem>> {
        self.plan.as_ref().filter(|(changes, _)| *changes == self.changes()).map(|(_, plan)| plan)
    }

    /// The order to plan it, or to make it.
    pub(crate) fn order(&self, is_made: bool) -> ForkOrder {
        let journal = self.journal.clone();
        let changes = self.changes().to_owned();
        ForkOrder { journal, step: self.step, changes, state: self.state.clone(), is_made }
    }
}
