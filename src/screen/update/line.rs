//! A line of the linear mode: the answer to the open question, or a command by its name or its key. It reaches the same
//! functions as the keys of the full screen.

use super::{Effect, line_answers, views};
use crate::model::Model;

/// Handles a line.
pub(super) fn enter(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    model.notice = None;
    model.typed.cancelled = false;
    if model.modal.is_none() {
        model.typed.lines = 0;
    }
    match model.modal.take() {
        Some(open) => line_answers::give(model, open, line, effects),
        None => views::enter(model, line, effects),
    }
}
