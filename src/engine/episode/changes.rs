//! What a person changes: the reply or the actions that are pending, and the memory window.

use std::collections::VecDeque;

use super::Episode;
use super::Need;
use crate::domain::Window;
use crate::engine::edit::Edit;

impl Episode {
    /// What a person wrote takes the place of what was pending: a reply is to be read anew, an action waits.
    pub(super) fn edited(&mut self, edit: Edit) {
        self.mixed = true;
        match edit {
            Edit::Reply(words) => {
                (self.planned, self.plan) = (false, VecDeque::new());
                if let Some(step) = self.open_step() {
                    (step.action, step.edited) = (None, false);
                }
                if let Some(attempt) = self.newest_reply() {
                    *attempt = attempt.clone().edited(&words);
                }
                self.need = Need::Read(words.into());
            }
            Edit::Actions(actions) => {
                self.plan = actions.into();
                if let Some(step) = self.open_step() {
                    step.edited = true;
                }
                self.next_of_plan();
            }
        }
    }

    pub(super) fn set(&mut self, window: Window) {
        self.window = window;
        self.mixed = true;
        // A step that has its action was asked by the window of before.
        if !matches!(self.need, Need::Act(_))
            && let Some(step) = self.open_step()
        {
            step.window = window;
        }
    }
}
