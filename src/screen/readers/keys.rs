//! What keys do in the dialog of readers, and what answers change.

use crossterm::event::{KeyCode, KeyEvent};

use super::draft;
use super::sheet::{Focus, ReaderRow, ReaderSheet};
use crate::model::{Modal, Model};
use crate::requests::{ReaderAnswer, ReaderOrder, Request};
use crate::update::{Effect, go_to_step};

/// Rows of a page.
const PAGE: isize = 10;

/// Opens the dialog on a session or sweep, or on that of the shown episode.
pub(crate) fn open(model: &mut Model, scope: &str, effects: &mut Vec<Effect>) {
    let shown = || model.episode().and_then(|viewed| viewed.snapshot.journal.clone());
    let session = |journal: std::path::PathBuf| mageyard_lab::EpisodeId::of_journal(&journal).session;
    let scope = match scope {
        "" => shown().map(|journal| session(journal).display().to_string()),
        scope => Some(scope.to_owned()),
    };
    let Some(scope) = scope else {
        return model
            .notify("this episode is not recorded; :readers SESSION reads the replies of another one");
    };
    order(ReaderOrder::Open(scope.clone()), effects);
    model.open_over(Modal::Readers(ReaderSheet::new(scope).into()));
}

pub(super) fn order(order: ReaderOrder, effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Reader(order)));
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(crate) fn press(
    model: &mut Model,
    mut sheet: Box<ReaderSheet>,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    sheet.said = None;
    if sheet.is_typing() {
        draft::press(model, &mut sheet, key, effects);
        show(&mut sheet, effects);
        return model.modal = Some(Modal::Readers(sheet));
    }
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return order(ReaderOrder::Close, effects),
        KeyCode::Enter => return open_step(model, sheet, effects),
        KeyCode::Char('e') => ask_text(&mut sheet, effects),
        KeyCode::Tab | KeyCode::BackTab => {
            sheet.focus = if sheet.focus == Focus::Readers { Focus::Shapes } else { Focus::Readers };
        }
        KeyCode::Up | KeyCode::Char('k') => sheet.move_by(-1),
        KeyCode::Down | KeyCode::Char('j') => sheet.move_by(1),
        KeyCode::PageUp => sheet.move_by(-PAGE),
        KeyCode::PageDown => sheet.move_by(PAGE),
        KeyCode::Home => sheet.move_by(isize::MIN),
        KeyCode::End => sheet.move_by(isize::MAX),
        KeyCode::Left | KeyCode::Char('h') => sheet.turn_by(-1),
        KeyCode::Right | KeyCode::Char('l') => sheet.turn_by(1),
        _ => {}
    }
    show(&mut sheet, effects);
    model.modal = Some(Modal::Readers(sheet));
}

/// Asks for the file of the selected reader, to edit it.
pub(super) fn ask_text(sheet: &mut ReaderSheet, effects: &mut Vec<Effect>) {
    if let Some(row) = sheet.row().filter(|row| row.read.is_some()) {
        order(ReaderOrder::Text(row.entry.name.clone()), effects);
    }
}

/// Asks for the selected reply, unless it is shown.
pub(super) fn show(sheet: &mut ReaderSheet, effects: &mut Vec<Effect>) {
    let shown = sheet.shown.as_ref().map(|shown| shown.place);
    if let Some(place) = sheet.place().filter(|place| shown != Some(*place)) {
        order(ReaderOrder::Show(place), effects);
    }
}

/// Shows the step of the shown reply: of an episode that is open, or of its recording.
pub(super) fn open_step(model: &mut Model, mut sheet: Box<ReaderSheet>, effects: &mut Vec<Effect>) {
    let Some(shown) = sheet.shown.as_ref().filter(|_| sheet.reading().is_some()) else {
        return model.modal = Some(Modal::Readers(sheet));
    };
    let (journal, step) = (shown.journal.clone(), shown.place.step);
    let is_it = |viewed: &crate::model::EpisodeView| viewed.snapshot.journal.as_ref() == Some(&journal);
    if let Some(index) = model.episodes.iter().position(is_it) {
        let place = model.place(Some(Modal::Readers(sheet)));
        model.show_episode(index, place);
        return go_to_step(model, step);
    }
    sheet.is_opening = true;
    model.awaited.step = Some((journal.clone(), step));
    effects.push(Effect::Request(Request::OpenJournal(journal)));
    model.modal = Some(Modal::Readers(sheet));
}

/// Takes an answer, if the dialog is open.
pub(crate) fn answered(model: &mut Model, answer: ReaderAnswer, effects: &mut Vec<Effect>) {
    let open = model.dialogs_mut().find_map(|dialog| match dialog {
        Modal::Readers(sheet) => Some(sheet),
        _ => None,
    });
    let Some(sheet) = open else { return };
    match answer {
        ReaderAnswer::Loading(episodes) => sheet.loaded = episodes,
        ReaderAnswer::Readers(entries) => {
            let recorded = entries.iter().position(|entry| entry.is_recorded);
            let row = |entry| ReaderRow { entry, read: None };
            let name = sheet.wanted.take().or_else(|| sheet.row().map(|row| row.entry.name.clone()));
            let same = entries.iter().position(|entry| Some(&entry.name) == name.as_ref());
            sheet.rows = entries.into_iter().map(row).collect();
            sheet.select(same.or(recorded).unwrap_or(0));
            (sheet.is_complete, sheet.shown) = (false, None);
        }
        ReaderAnswer::Read(index, read) => {
            if let Some(row) = sheet.rows.get_mut(index) {
                row.read = Some(read);
            }
        }
        ReaderAnswer::Complete => sheet.is_complete = true,
        ReaderAnswer::Shown(shown) => sheet.shown = Some(shown),
        ReaderAnswer::Failed(problem) => sheet.failed = Some(problem),
        other => draft::answered(sheet, other, effects),
    }
    show(sheet, effects);
}
