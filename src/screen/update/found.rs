//! The list of steps of everything stored that meet a condition.

use crate::requests::{FindProgress, Request};
use crossterm::event::{KeyCode, KeyEvent};

use super::list_keys::moved_by;
use super::next_request::refuse_condition;
use super::{Effect, episodes, navigation};
use crate::modals::found_page;
use crate::model::{FindEnd, FoundList, Modal, Model, ReturnPlace};
use mageyard_engine::Condition;

/// Starts a search; without a condition the last list is shown again. False if the condition is wrong.
pub(super) fn begin(model: &mut Model, text: &str, effects: &mut Vec<Effect>) -> bool {
    if text.is_empty() {
        match model.found.take() {
            Some(list) => model.modal = Some(Modal::Found(list)),
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
    model.modal = Some(Modal::Found(FoundList::new(text).into()));
    effects.push(Effect::Request(Request::Find(text.to_owned())));
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
    let list =
        if let Some(Modal::Found(list)) = &mut model.modal { Some(list) } else { model.found.as_mut() };
    if let Some(list) = list {
        list.add(progress);
    }
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut list: Box<FoundList>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return close(model, list, effects),
        KeyCode::Enter => return open_selected(model, list, effects),
        _ => list.select_by(moved_by(key, found_page(model)).unwrap_or(0)),
    }
    model.modal = Some(Modal::Found(list));
}

/// A line of the linear mode: the number of a row.
pub(super) fn answer(model: &mut Model, mut list: Box<FoundList>, line: &str, effects: &mut Vec<Effect>) {
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
    if list.is_searching() {
        list.end = Some(FindEnd::Stopped);
        effects.push(Effect::Request(Request::StopFinding));
    }
    model.found = Some(list);
}

/// Shows the selected step: of an episode that is open, or of its recording.
fn open_selected(model: &mut Model, mut list: Box<FoundList>, effects: &mut Vec<Effect>) {
    let Some(row) = list.selected_row().cloned() else {
        return model.modal = Some(Modal::Found(list));
    };
    let open =
        model.episodes.iter().position(|viewed| viewed.snapshot.journal.as_ref() == Some(&row.journal));
    if let Some(index) = open {
        let before = model.shown_index();
        close(model, list, effects);
        episodes::show(model, index);
        model.note_opened_from(ReturnPlace::Found, before);
        return navigation::go_to(model, row.step);
    }
    list.is_opening = true;
    model.awaited.step = Some((row.journal.clone(), row.step));
    effects.push(Effect::Request(Request::OpenJournal(row.journal)));
    model.modal = Some(Modal::Found(list));
}

/// A recording was opened: if it was opened for a step, that is shown.
pub(super) fn opened(model: &mut Model, before: Option<usize>, effects: &mut Vec<Effect>) {
    let Some((journal, step)) = model.awaited.step.take() else { return };
    if model.episode().and_then(|viewed| viewed.snapshot.journal.as_ref()) != Some(&journal) {
        return;
    }
    if let Some(Modal::Found(mut list)) = model.modal.take_if(|modal| matches!(modal, Modal::Found(_))) {
        list.is_opening = false;
        close(model, list, effects);
        model.note_opened_from(ReturnPlace::Found, before);
    }
    navigation::go_to(model, step);
}
