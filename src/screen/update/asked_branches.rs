//! The rows of an ask that plays branches to their end: a branch is shown, and a step that was looked for is gone to.

use super::{Effect, branches, navigation};
use crate::model::{AskLevel, AskedSheet, Modal, Model};
use crate::requests::{AskOrder, Request};

/// Whether a branch is selected.
pub(super) fn is_selected(sheet: &AskedSheet) -> bool {
    sheet.level == AskLevel::Calls && sheet.call().is_some_and(|call| call.branch.is_some())
}

/// Shows the selected branch, which stops what is still played.
pub(super) fn open(model: &mut Model, sheet: Box<AskedSheet>, effects: &mut Vec<Effect>) {
    let Some(branch) = sheet.call().and_then(|call| call.branch.clone()) else {
        return model.modal = Some(Modal::Asked(sheet));
    };
    if !branch.is_over && sheet.is_running() {
        model.notify("this branch is still being played");
        return model.modal = Some(Modal::Asked(sheet));
    }
    stop(&sheet, effects);
    let waiting = branches::show(model, (branch.journal, branch.is_over), Modal::Asked(sheet), effects);
    model.awaited.dialog = waiting.map(Box::new);
}

/// Shows the step that the selected row begins with, and closes the dialog.
pub(super) fn go_to_start(model: &mut Model, sheet: &AskedSheet, effects: &mut Vec<Effect>) {
    stop(sheet, effects);
    if let Some(step) = sheet.start() {
        navigation::go_to(model, step);
    }
}

fn stop(sheet: &AskedSheet, effects: &mut Vec<Effect>) {
    effects.extend(sheet.is_running().then_some(Effect::Request(Request::Ask(AskOrder::Stop))));
}

/// A line of the linear mode: a number shows a branch; in the table it opens a row, or goes to its step, and then
/// `branches` and a number opens the row.
pub(super) fn answer(
    model: &mut Model,
    mut sheet: Box<AskedSheet>,
    (words, number): (&str, Option<usize>),
    effects: &mut Vec<Effect>,
) {
    let listed = words.strip_prefix("branches").and_then(|rest| rest.trim().parse::<usize>().ok());
    let index = number.or(listed.and_then(|number| number.checked_sub(1)));
    let count = match sheet.level {
        AskLevel::Table => sheet.view.rows.len(),
        _ => sheet.variant().map_or(0, |variant| variant.samples.len()),
    };
    let Some(index) = index.filter(|index| *index < count) else {
        model.notify("a number is that of a row, from 1; an empty line goes back");
        return model.modal = Some(Modal::Asked(sheet));
    };
    sheet.select_by(isize::MIN);
    sheet.select_by(index.cast_signed());
    match sheet.level {
        AskLevel::Table if sheet.start().is_some() && listed.is_none() => {
            return go_to_start(model, &sheet, effects);
        }
        AskLevel::Table => sheet.show(AskLevel::Calls),
        _ => return open(model, sheet, effects),
    }
    model.modal = Some(Modal::Asked(sheet));
}
