//! Esc leads back to where an episode was opened from: a list, the report of a suite, the table of an ask.

use super::{Effect, episodes};
use crate::home;
use crate::model::{Fault, Modal, Model, ReturnPlace};
use crate::sweep;

/// Goes back to where the shown episode was opened from; false if that is not possible.
pub(super) fn go_back(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(opened) = model.take_way_back() else {
        return sweep::go_back(model) || home::go_back(model, effects);
    };
    if let Some(index) = opened.before.filter(|index| *index < model.episodes.len()) {
        episodes::show(model, index);
    }
    model.forget_way_back_to(&opened.place);
    model.modal = match opened.place {
        ReturnPlace::SuiteReport => model.suite_report.take().map(Modal::Asked),
        ReturnPlace::Found => model.found.take().map(Modal::Found),
        ReturnPlace::Dialog(dialog) => Some(*dialog),
        ReturnPlace::Sweep => {
            sweep::go_back(model);
            None
        }
        ReturnPlace::Home => {
            home::go_back(model, effects);
            None
        }
    };
    true
}

/// An episode that the open dialog waits for is shown now: the dialog closes, and Esc leads back to it. `before` is the
/// index of the episode that was shown.
pub(super) fn leave_dialog(model: &mut Model, before: Option<usize>) {
    let waits = |modal: &mut Modal| matches!(modal, Modal::Branches(_) | Modal::Episodes(_));
    let dialog = model.modal.take_if(waits).or_else(|| model.awaited.dialog.take().map(|dialog| *dialog));
    if let Some(dialog) = dialog {
        model.note_opened_from(ReturnPlace::Dialog(settled(dialog).into()), before);
    }
}

/// Shows a fault over the dialog that waited for an episode, which is shown again when the fault is closed.
pub(crate) fn show_fault_over(model: &mut Model, fault: Fault) {
    let dialog = model.modal.take().or_else(|| model.awaited.dialog.take().map(|dialog| *dialog));
    model.below_fault = dialog.map(|dialog| settled(dialog).into());
    model.modal = Some(Modal::Fault(fault));
}

/// A dialog that no longer waits for what it opens, nor for calls that were stopped.
pub(crate) fn settled(mut dialog: Modal) -> Modal {
    match &mut dialog {
        Modal::Episodes(list) => list.opening = None,
        Modal::Found(list) => list.is_opening = false,
        Modal::Asked(sheet) => match &mut sheet.suite {
            Some(suite) => suite.is_opening = false,
            None => sheet.progress = sheet.progress.stopped(),
        },
        Modal::Form(_)
        | Modal::Edit(_)
        | Modal::Help(_)
        | Modal::Themes(_)
        | Modal::Palette(_)
        | Modal::Fork(_)
        | Modal::Ask(_)
        | Modal::Suites(_)
        | Modal::State(_)
        | Modal::Branches(_)
        | Modal::Seats(_)
        | Modal::RequestDiff(_)
        | Modal::Diff(_)
        | Modal::Verdict(_)
        | Modal::Request(_)
        | Modal::Prompts(_)
        | Modal::Fault(_)
        | Modal::Copy(_)
        | Modal::Breaks(_)
        | Modal::Abandon
        | Modal::Restart => {}
    }
    dialog
}
