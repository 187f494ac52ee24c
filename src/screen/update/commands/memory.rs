//! Commands about requests: the memory window, the prompt and the hint of the next one, and what was sent.

use super::{Call, Origin};
use crate::model::{CopyMenu, Modal, Model};
use crate::update::{Effect, comparisons, editing, next_request, session_control, set};

pub(super) fn diff_requests(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    comparisons::compare_requests_with(model, call.argument, effects);
}

pub(super) fn less_actions(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    next_request::change_window(model, -1, 0, call.times(), effects);
}

pub(super) fn more_actions(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    next_request::change_window(model, 1, 0, call.times(), effects);
}

pub(super) fn less_frames(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    next_request::change_window(model, 0, -1, call.times(), effects);
}

pub(super) fn more_frames(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    next_request::change_window(model, 0, 1, call.times(), effects);
}

/// Selects a prompt variant by its name; a key or a line without a name lists them.
pub(super) fn prompt(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if call.written().is_none() && call.origin != Origin::Palette {
        next_request::open_prompts(model);
    } else if let Some(name) = call.required(model) {
        next_request::prompt(model, name, effects);
    }
}

pub(super) fn set(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if let Some(words) = call.required(model) {
        set::set(model, words, effects);
    }
}

pub(super) fn hint(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    editing::hint(model, call.argument, effects);
}

pub(super) fn request(model: &mut Model, _: Call<'_>, _: &mut Vec<Effect>) {
    model.modal = Some(Modal::Request(0));
}

/// Copies a part by its name; a key opens the menu.
pub(super) fn copy(model: &mut Model, call: Call<'_>, effects: &mut Vec<Effect>) {
    if call.is_by_key() {
        model.modal = Some(Modal::Copy(CopyMenu::new(model)));
    } else if let Some(name) = call.required(model) {
        session_control::copy(model, name, effects);
    }
}
