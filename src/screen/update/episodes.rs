//! The list of episodes and sessions, and following a recording from one episode to the next.

use crate::requests::Request;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, OpenedRecordings, show_fault_over};
use crate::modals::episode_page;
use crate::model::{EpisodeList, EpisodeView, Fault, ListedEpisode, Modal, Model, RowTarget};
use mageyard_config::Problem;
use mageyard_engine::{Mode, Snapshot};

/// Opens the list and reads the recorded sessions again.
pub(super) fn open_list(model: &mut Model, effects: &mut Vec<Effect>) {
    model.modal = Some(Modal::Episodes(EpisodeList::at(model, model.current)));
    effects.push(Effect::Request(Request::ListSessions));
}

/// Makes the rows of the open list again, after what is listed may have changed.
pub(super) fn update_list(model: &mut Model) {
    if let Some(Modal::Episodes(mut list)) =
        model.modal.take_if(|dialog| matches!(dialog, Modal::Episodes(_)))
    {
        list.update_rows(model);
        model.modal = Some(Modal::Episodes(list));
    }
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut list: EpisodeList, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let page = episode_page(model, &list).cast_signed();
    match key.code {
        KeyCode::Esc if model.episodes.is_empty() => return effects.push(Effect::Quit),
        KeyCode::Esc => return,
        KeyCode::Enter => return open_selected(model, list, effects),
        KeyCode::Up | KeyCode::BackTab => list.select_by(-1),
        KeyCode::Down | KeyCode::Tab => list.select_by(1),
        KeyCode::PageUp => list.select_by(-page),
        KeyCode::PageDown => list.select_by(page),
        KeyCode::Home => list.select_by(isize::MIN),
        KeyCode::End => list.select_by(isize::MAX),
        KeyCode::Char('p') if control => list.select_by(-1),
        KeyCode::Char('n') if control => list.select_by(1),
        KeyCode::Char('u' | 'w') if control => list.clear(),
        KeyCode::Backspace => list.backspace(),
        KeyCode::Char(c) if !control => list.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    model.modal = Some(Modal::Episodes(list));
}

fn open_selected(model: &mut Model, mut list: EpisodeList, effects: &mut Vec<Effect>) {
    let Some(target) = list.row(list.selected()).map(|row| row.target.clone()) else {
        model.modal = Some(Modal::Episodes(list));
        return;
    };
    match target {
        RowTarget::Episode(index) if model.is_unread(index) => {
            list.opening =
                model.episodes[index].unread.as_ref().map(|unread| unread.folder_name().to_owned());
            model.modal = Some(Modal::Episodes(list));
            model.awaited.episode = None;
            request(model, index, effects);
        }
        RowTarget::Episode(index) => {
            let place = model.place(Some(Modal::Episodes(list)));
            model.show_episode(index, place);
        }
        RowTarget::Session(name) => {
            list.opening = Some(name.clone());
            model.modal = Some(Modal::Episodes(list));
            effects.push(Effect::Request(Request::OpenRecorded(name)));
        }
        RowTarget::Sweep(name) => {
            list.opening = Some(name.clone());
            model.modal = Some(Modal::Episodes(list));
            effects.push(Effect::Request(Request::OpenSweep(name)));
        }
    }
}

/// Moves by so many episodes. One that was not read is shown once it is.
pub(super) fn move_by(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let from = model.awaited.episode.unwrap_or(model.current);
    let to = from.checked_add_signed(by).filter(|to| *to < model.episodes.len());
    match to {
        Some(to) if model.is_unread(to) => {
            model.awaited.episode = Some(to);
            model.notify(reading_notice(model, to));
            request(model, to, effects);
        }
        Some(to) => {
            model.awaited.episode = None;
            model.show_index(to);
            notify_number(model);
        }
        None if by < 0 => model.notify("this is the first episode"),
        None if model.episode().is_some_and(|viewed| viewed.snapshot.run.mode == Mode::Recorded) => {
            model.notify("this is the last episode");
        }
        None => model.notify("this is the last episode; :open starts another"),
    }
}

/// Starts to read an unread episode, once.
fn request(model: &mut Model, index: usize, effects: &mut Vec<Effect>) {
    let unread = model.episodes.get_mut(index).and_then(|episode| episode.unread.as_mut());
    if let Some(unread) = unread.filter(|unread| !unread.is_requested) {
        unread.is_requested = true;
        effects.push(Effect::Request(Request::OpenJournal(unread.journal.clone())));
    }
}

fn reading_notice(model: &Model, index: usize) -> String {
    format!("reading episode {} of {} …", index + 1, model.episodes.len())
}

fn notify_number(model: &mut Model) {
    model.notify(format!("episode {} of {}", model.current + 1, model.episodes.len()));
}

/// The heads of unread episodes were read.
pub(super) fn outlined(model: &mut Model, rows: Vec<(usize, ListedEpisode)>) {
    for (index, listed) in rows {
        if let Some(unread) = model.episodes.get_mut(index).and_then(|episode| episode.unread.as_mut()) {
            unread.listed = Some(listed);
        }
    }
}

/// The episodes of a recorded session were opened, or could not be.
pub(super) fn recorded(model: &mut Model, answer: Result<OpenedRecordings, Problem>) {
    let listed = matches!(model.modal, Some(Modal::Episodes(_)));
    match answer {
        Err(problem) => {
            model.awaited.episode = None;
            for unread in model.episodes.iter_mut().filter_map(|episode| episode.unread.as_mut()) {
                unread.is_requested = false;
            }
            show_fault_over(model, Fault::Recording(problem));
        }
        Ok(opened) if opened.read.is_empty() => {
            if let Some(Modal::Episodes(list)) = &mut model.modal {
                list.opening = None;
            }
            model.notify("the episodes of this session are already open");
        }
        Ok(opened) => {
            let first = opened.read[0].0;
            let count = opened.unread.len().max(opened.read.len());
            let was_moved_to = model.awaited.episode.is_some() && opened.unread.is_empty();
            model.add_recordings(opened, false);
            if was_moved_to {
                return show_awaited(model);
            }
            model.awaited.episode = None;
            model.show_opened(first);
            if listed {
                model.modal = (count > 1).then(|| Modal::Episodes(EpisodeList::at(model, first)));
            }
        }
    }
}

/// Shows the episode that was moved to, if it was read by now.
fn show_awaited(model: &mut Model) {
    if let Some(index) = model.awaited.episode.filter(|index| !model.is_unread(*index)) {
        model.awaited.episode = None;
        model.show_index(index);
        model.withdraw(&reading_notice(model, index));
        notify_number(model);
    }
}

/// The next episode of the followed session has started.
pub(super) fn started(model: &mut Model, snapshot: Arc<Snapshot>) {
    model.episodes.push(EpisodeView::new(snapshot, false));
}

/// Shows the next unfinished episode once the followed one is over and nothing is open over it.
pub(super) fn advance(model: &mut Model) {
    let waits = |episode: &EpisodeView| episode.is_over() && episode.cursor.is_none();
    if !model.following || model.modal.is_some() || !model.episode().is_some_and(waits) {
        return;
    }
    let later = || ((model.current + 1)..model.episodes.len()).filter(|index| !model.is_unread(*index));
    let next = later().find(|index| !model.episodes[*index].is_over()).or_else(|| later().next_back());
    if let Some(next) = next {
        model.current = next;
        model.reset_position();
        model.dirty = true;
        model.notify(format!("episode {} of {}", next + 1, model.episodes.len()));
    }
}
