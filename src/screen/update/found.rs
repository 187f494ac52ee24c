//! The list of steps of everything stored that meet a condition.

use crate::requests::{FindProgress, Request};
use crossterm::event::{KeyCode, KeyEvent};

use super::found_suite;
use super::list_keys::moved_by;
use super::next_request::refuse_condition;
use super::{Effect, navigation};
use crate::modals::found_page;
use crate::model::{FindEnd, FoundList, Modal, Model};
use mageyard_engine::Condition;

/// Starts a search, on the dashboard of a sweep in that sweep or its open cell; without a condition the last list is shown again. False if the condition is wrong.
pub(crate) fn begin(model: &mut Model, text: &str, effects: &mut Vec<Effect>) -> bool {
    if text.is_empty() {
        let covered = model.take_covered(|dialog| matches!(dialog, Modal::Found(_)));
        match covered.or_else(|| model.found.take().map(Modal::Found)) {
            Some(list) => model.modal = Some(list),
            None => model.notify("nothing was searched yet; a condition is needed, such as :find ia"),
        }
        return true;
    }
    let condition: Condition = match text.parse() {
        Ok(condition) => condition,
        Err(error) => {
            refuse_condition(model, text, &error);
            return false;
        }
    };
    if let Some(marks) = condition.only_marks() {
        // So that n and N move between them in this episode.
        model.marks.searched = marks;
    }
    model.found = None;
    let scope = model.sweep_scope();
    let list = match &scope {
        Some(scope) => FoundList::within(text, scope),
        None => FoundList::new(text),
    };
    model.modal = Some(Modal::Found(list.into()));
    effects.push(Effect::Request(Request::Find { condition: text.to_owned(), scope }));
    true
}

/// Lists where the repeats of the session of the shown episode part.
pub(super) fn list_partings(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(journal) = model.episode().and_then(|viewed| viewed.snapshot.journal.clone()) else {
        return model.notify("this episode is not recorded, so it has no repeats");
    };
    model.found = None;
    model.modal = Some(Modal::Found(FoundList::of_repeats().into()));
    effects.push(Effect::Request(Request::FindPartings(journal)));
}

/// Takes what a search has found, whether its list is open or not.
pub(super) fn add(model: &mut Model, progress: FindProgress) {
    let open = model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Found(list) => Some(list),
        _ => None,
    });
    if let Some(list) = open {
        list.add(progress);
    } else if let Some(list) = &mut model.found {
        list.add(progress);
    }
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut list: Box<FoundList>, key: KeyEvent, effects: &mut Vec<Effect>) {
    list.said = None;
    if list.suite.is_some() {
        found_suite::press(&mut list, key, effects);
        return model.modal = Some(Modal::Found(list));
    }
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return close(model, list, effects),
        KeyCode::Char('s') => found_suite::begin(&mut list),
        KeyCode::Enter => return open_selected(model, list, effects),
        _ => list.select_by(moved_by(key, found_page(model)).unwrap_or(0)),
    }
    model.modal = Some(Modal::Found(list));
}

/// A line of the linear mode: the number of a row, or `suite` and a name.
pub(super) fn answer(model: &mut Model, mut list: Box<FoundList>, line: &str, effects: &mut Vec<Effect>) {
    if let Some(name) = line.trim().strip_prefix("suite ") {
        found_suite::order(&mut list, name, effects);
        return model.modal = Some(Modal::Found(list));
    }
    let number = line.trim().parse::<usize>().ok();
    let Some(index) = number.filter(|number| (1..=list.rows().len()).contains(number)) else {
        return close(model, list, effects);
    };
    list.select_by(isize::MIN);
    list.select_by((index - 1).cast_signed());
    open_selected(model, list, effects);
}

/// Closes the list. A search in progress is stopped; what it has found stays.
fn close(model: &mut Model, mut list: Box<FoundList>, effects: &mut Vec<Effect>) {
    stop(&mut list, effects);
    model.found = Some(list);
}

fn stop(list: &mut FoundList, effects: &mut Vec<Effect>) {
    if list.is_searching() {
        list.end = Some(FindEnd::Stopped);
        effects.push(Effect::Request(Request::StopFinding));
    }
}

/// Shows the selected step: of an episode that is open, or of its recording.
fn open_selected(model: &mut Model, mut list: Box<FoundList>, effects: &mut Vec<Effect>) {
    let Some(row) = list.selected_row().cloned() else {
        return model.modal = Some(Modal::Found(list));
    };
    let open =
        model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&row.journal));
    if let Some(index) = open {
        stop(&mut list, effects);
        let place = model.place(Some(Modal::Found(list)));
        model.show_episode(index, place);
        return navigation::go_to(model, row.step);
    }
    stop(&mut list, effects);
    list.is_opening = true;
    model.awaited.step = Some((row.journal.clone(), row.step));
    effects.push(Effect::Request(Request::OpenJournal(row.journal)));
    model.modal = Some(Modal::Found(list));
}

/// A recording was opened: if it was opened for a step, that is shown.
pub(super) fn opened(model: &mut Model) {
    let Some((journal, step)) = model.awaited.step.take() else { return };
    if model.episode().and_then(|viewed| viewed.snapshot.journal.as_ref()) == Some(&journal) {
        navigation::go_to(model, step);
    }
}
