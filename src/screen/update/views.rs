//! What input means in the view that is shown, and the way back from it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, commands, keys, line_command};
use crate::command::CommandId;
use crate::model::{Fault, Modal, Model, View};
use crate::requests::Request;
use crate::{home, sweep};

/// Handles a key that no dialog takes.
pub(super) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    match model.view() {
        View::Episode => keys::press_in_episode(model, key, effects),
        View::Home => home::press(model, key, effects),
        View::Sweep => sweep::press(model, key, effects),
    }
}

/// Handles a line of the linear mode that answers no dialog.
pub(super) fn enter(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    match model.view() {
        View::Home if home::enter(model, line, effects) => {}
        View::Home | View::Episode => line_command::command(model, line, effects),
        View::Sweep => sweep::enter(model, line, effects),
    }
}

/// Handles pasted text that no dialog takes.
pub(super) fn paste(model: &mut Model, text: &str) {
    match model.view() {
        View::Home => home::paste(model, text),
        View::Episode | View::Sweep => {}
    }
}

/// Turns the wheel in a view that is a list, which selects as arrow keys do; false for another one.
pub(super) fn turn(model: &mut Model, code: KeyCode, effects: &mut Vec<Effect>) -> bool {
    match model.view() {
        View::Episode => return false,
        View::Home | View::Sweep => press(model, KeyEvent::new(code, KeyModifiers::NONE), effects),
    }
    true
}

/// Ctrl-C in the linear mode.
pub(super) fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.view() {
        View::Sweep => effects.push(Effect::Interrupt),
        View::Home | View::Episode => commands::perform(model, CommandId::Interrupt, effects),
    }
}

/// Goes back to what the shown view was opened from; false if nothing was.
pub(crate) fn go_back(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let goes = model.leave_view();
    match model.view() {
        View::Home if goes => effects.push(Effect::Request(Request::ListHome)),
        View::Sweep if goes => sweep::shown_again(model),
        View::Home | View::Sweep | View::Episode => {}
    }
    goes
}

/// Leaves an episode for the last view of another kind, and such a view for what it was opened from; else the screen.
pub(super) fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    while go_back(model, effects) {
        if model.view() != View::Episode {
            return;
        }
    }
    effects.push(Effect::Quit);
}

/// Shows a fault over the dialog that waited for an episode, which is shown again when the fault is closed.
pub(crate) fn show_fault_over(model: &mut Model, fault: Fault) {
    let dialog = model.modal.take().or_else(|| model.awaited.dialog.take().map(|dialog| *dialog));
    model.modal = dialog.map(Modal::settled);
    model.open_over(Modal::Fault(fault));
}
